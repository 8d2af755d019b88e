// The page: its figures, which follow the inputs, and plots as tabs.

// --- Figures

const tip = el('div', {className: 'tip', hidden: true}), figures = new Map();
const repaintAll = () => figures.forEach((again) => again());
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaintAll);
addEventListener('beforeprint', repaintAll);
const figureBox = () => set(el('figure', {}, el('div'), set(el('p', {className: 'reading'}), {'aria-live': 'polite'})),
  {'data-past': say('This picture does not follow: it shows the numbers as they were.', '这幅图不随改动而变，仍是原来的数。')});
// Returns the head of a figure's map; undefined if it has several maps, or one of no head.
const headIn = (box) => {
  const images = box.querySelectorAll('image[data-map]'), {at} = images.length === 1 ? mapOf(images[0]) : {};
  return at && Number.isInteger(at.head) ? at : undefined;
};
const isInView = (box) => box.offsetParent !== null;
// Returns whether a figure in view shows other numbers than before any change.
const repaintInView = () => [...figures].map(([box, again]) => isInView(box) && again()).some(Boolean);

// Numbers and words that belong to the measures under a thumbnail.
const captionsUnder = (svg, image) => {
  const under = image.getBoundingClientRect(), middle = (under.left + under.right) / 2;
  return [...svg.querySelectorAll('text, rect[fill-opacity]')].filter((one) => {
    const {left, right, top} = one.getBoundingClientRect();
    return top >= under.bottom - 2 && top < under.bottom + 0.5 * under.height && Math.abs((left + right) / 2 - middle) < 2;
  });
};

// Returns whether numbers are others than those kept in the page, which are rounded. A marked cell has no number.
const isOtherThan = (now, kept) => [...Array(kept.rows * kept.cols).keys()].some((i) =>
  now.mark(i) !== kept.mark(i) || !kept.mark(i) && Math.abs(now.value(i) - kept.value(i)) > 2 * kept.doubt(i) + 1e-6 * Math.abs(kept.value(i)));

// Shows the figure in the box with the numbers that the inputs give, if there are any and it follows them. `choose`, if
// any, hears of clicks on cells, and returns whether it has taken one.
const mount = (box, {follows, choose, inputs, numbers}) => {
  const svg = box.querySelector('svg'), images = [...svg.querySelectorAll('image[data-map]')], maps = images.map(mapOf);
  const title = svg.querySelector(':scope > title'), texts = images.map((image, i) => inputs ? numberTexts(svg, image, maps[i]) : []);
  const signs = images.map((image, i) => emptySigns(svg, image, maps[i]));
  if (title) svg.setAttribute('aria-label', title.textContent);
  if (title && images.length) title.remove();  // its tooltip would cover that of the cells
  images.forEach((image, i) => follow(image, maps[i], box.lastChild, choose, [images[i - 1], images[i + 1]], inputs));
  const repaint = () => {
    if (!box.isConnected) return;  // it would not have the colours of its style
    const stages = maps.map((map) => inputs?.isChanged() && follows && map.isWhole && inputs.attention.stage(map.stage, map.at));
    const isPast = Boolean(inputs?.isChanged() && !(stages.length && stages.every(Boolean)));
    box.classList.toggle('past', isPast);
    images.forEach((image, i) => {
      const map = maps[i], isNew = stages[i] && !isPast;
      map.values = isNew ? numbersIn(stages[i], map, map.kept) : map.kept;
      map.tints = isNew ? map.values : map.keptTints;
      paint(image, map);
      drawCells(image, map, texts[i], signs[i], numbers);
      image.tell();
      if (inputs && map.head && !numbers) captionsUnder(svg, image).forEach((one) => one.classList.toggle('past', Boolean(isNew)));
    });
    return isPast || maps.some(({values, kept}) => values !== kept && isOtherThan(values, kept));
  };
  figures.set(box, repaint);
  repaint();
};
const show = (box, {lines, follows}, choose, inputs) => {
  let number = 0;
  box.firstChild.innerHTML = lines.map((step) => data.lines[number += step]).join('\n');
  box.lastChild.textContent = '';
  const svg = box.querySelector('svg'), {width, height} = svg.viewBox.baseVal;
  box.firstChild.classList.toggle('fits', height < 1.2 * width);
  svg.style.minWidth = `${0.8 * width}px`;  // where letters are still read
  mount(box, {follows, choose, inputs});
};

// Frames the cell under the pointer or the keys and shows its number. A click on a thumbnail opens it.
const follow = (image, map, told, choose, beside, inputs) => {
  const {rows, cols} = map.kept, cursor = drawn('rect', {class: 'cursor'});
  let row = 0, col = 0;
  image.tell = () => { if (cursor.isConnected) told.textContent = reading(map, row, col); };
  const point = (toRow, toCol) => {
    [row, col] = [within(0, toRow, rows - 1), within(0, toCol, cols - 1)];
    const {x, y, width, height} = boxOf(image);
    image.after(set(cursor, {x: x + col * width / cols, y: y + row * height / rows, width: width / cols, height: height / rows}));
    image.tell();
  };
  const pointUnder = (event) => {
    const box = image.getBoundingClientRect();
    point(Math.floor((event.clientY - box.top) / box.height * rows), Math.floor((event.clientX - box.left) / box.width * cols));
  };
  const take = () => choose?.(map, row, col) || map.head && enlarge(image, map, inputs);
  const leave = () => (tip.hidden = true) && document.activeElement !== image && cursor.remove();
  const keys = say('Arrow keys move among the cells', '用方向键在格子间移动') + (map.head ? say(', Enter opens it', '，回车放大') : '');
  set(image, {tabindex: beside[0] ? -1 : 0, role: 'img', 'aria-label': `${map.head} ${rows} × ${cols}. ${keys}`});
  image.classList.toggle('opens', Boolean(map.head));
  image.onpointermove = (event) => {
    pointUnder(event);
    [tip.textContent, tip.hidden] = [told.textContent, false];
    tip.style.left = `${within(8, event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${within(8, event.clientY + 18, innerHeight - tip.offsetHeight - 8)}px`;
  };
  image.onpointerleave = image.onblur = leave;
  image.onfocus = () => point(row, col);
  image.onclick = (event) => {
    pointUnder(event);  // a finger has not moved there
    take();
  };
  image.onkeydown = (event) => {
    const move = arrows[event.key], next = {PageUp: beside[0], PageDown: beside[1]}[event.key];
    if (event.key === 'Enter') take();
    if (move) point(row + move[0], col + move[1]);
    if (next) next.focus();
    if (move || next) [event.preventDefault(), event.stopPropagation()];
  };
};

// --- A thumbnail enlarged

// Labels along a side, as many as there is space for.
const labelsAlong = (names, cell, placeOf) => {
  const stride = Math.ceil(11 / cell);
  return names.map((name, i) => ({name, i})).filter(({name, i}) => name && i % stride === 0)
    .map(({name, i}) => Object.assign(drawn('text', {'font-size': 11, ...placeOf((i + 0.5) * cell)}), {textContent: shortened(name)}));
};
const shortened = (name) => name.length > 14 ? `${name.slice(0, 13)}…` : name;
const widest = (names) => 8 + 6.4 * Math.max(1, ...names.map((name) => shortened(name).length));

const enlarge = (image, map, inputs) => {
  const {rows, cols} = map.kept, cell = within(4, 420 / Math.max(rows, cols), 80), [down, across] = [map.rows, map.cols].map(({names}) => data.names[names]);
  const left = widest(down), isSlanted = widest(across) > cell, top = isSlanted ? 0.72 * widest(across) + 12 : 20;
  const width = left + cols * cell + (isSlanted ? top : 8), height = top + rows * cell + 8;
  const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': map.head, 'font-family': 'sans-serif'});
  const large = set(image.cloneNode(), {x: left, y: top, width: cols * cell, height: rows * cell});
  const group = drawn('g', {transform: 'translate(0 0)'});
  group.append(large);
  svg.append(group, ...labelsAlong(down, cell, (at) => ({x: left - 6, y: top + at + 4, 'text-anchor': 'end', class: 'query'})),
    ...labelsAlong(across, cell, (at) => isSlanted
      ? {transform: `translate(${left + at + 3} ${top - 5}) rotate(-45)`, class: 'key'}
      : {x: left + at, y: top - 6, 'text-anchor': 'middle', class: 'key'}));
  svg.style.width = `${1.3 * width}px`;
  const box = figureBox(), close = el('button', {onclick: () => dialog.close()}, say('Close', '关闭'));
  const bar = [...Array(17).keys()].map((i) => `rgb(${[0, 1, 2].map((c) => map.colors.charCodeAt(3 * Math.round(15.9375 * i) + c) - 32)})`);
  const end = (value) => signed(Number(value.toPrecision(3)));
  const ramp = el('p', {className: 'ramp'}, end(map.low), el('span', {style: `background: linear-gradient(90deg, ${bar})`}), end(map.high));
  const dialog = el('dialog', {onclose: () => (figures.delete(box), document.body.append(tip), dialog.remove(), image.focus()),
    onclick: (event) => event.target === dialog && dialog.close()},
  el('div', {className: 'head'}, el('h2', {}, map.head[0].toUpperCase() + map.head.slice(1)), close), box, ramp);
  set(dialog, {'aria-label': map.head}).onkeydown = (event) => event.stopPropagation();
  box.firstChild.append(svg);
  dialog.append(tip);  // which would be behind it
  document.body.append(dialog);
  dialog.showModal();
  mount(box, {follows: true, inputs, numbers: cell >= 30 ? {size: 11, decimals: 2} : null});
  large.focus();
  return true;
};

// --- Plots as tabs

const panelOf = (tab, inputs) => {
  const box = figureBox(), first = tab.views[tab.first], choosers = {};
  const panel = el('section', {className: 'panel'}, el('p', {className: 'choices'}), box);
  const draw = () => {
    const isChosen = (view) => Object.keys(choosers).every((name) => view[name] === choosers[name].value);
    show(box, tab.views.find(isChosen), null, inputs);
    inputs?.goTo(headIn(box));
  };
  for (const [name, label] of [['layer', say('Layer', '层')], ['head', say('Head', '头')]]) {
    const values = [...new Set(tab.views.map((view) => view[name]))];
    if (values.length < 2) continue;
    choosers[name] = el('select', {onchange: draw}, ...values.map((value) => el('option', {}, value)));
    choosers[name].value = values.includes(wanted(name)) ? wanted(name) : first[name];
    panel.firstChild.append(el('label', {}, `${label} `, choosers[name]));
  }
  draw();
  panel.turnTo = () => inputs?.goTo(headIn(box));
  return panel;
};

// Returns why the inputs of a view cannot be changed; '' where they can.
const whyFixed = (inputs, isStep) => {
  const why = {picture: say('its plots do not follow them', '图不随数而变'),
    weights: say('its weights are given, not computed', '权重是给定的，不是算出来的'), kind: say('only AttnScope computes its kind of model', '这种模型只有 AttnScope 能算'),
    pattern: say('some heads have other weights than their own', '有的头用的不是自己的权重'),
    size: say('it has too many', '数太多'), finite: say('some are infinite or no numbers', '有的数是无穷大，或不是数')}[inputs];
  return why ? say(`The numbers of this ${isStep ? 'step' : 'page'} cannot be changed: ${why}.`, `本${isStep ? '步' : '页'}的数不能改：${why}。`) : '';
};

const showPlots = () => {
  const first = data.tabs[0].views[0].inputs, follows = data.tabs.some((tab) => tab.views.some((view) => view.follows));
  const inputs = Number.isInteger(first) && follows ? inputsOf(data.inputs[first], null, false, repaintInView,
    addressesIn(data.tabs.flatMap((tab) => tab.views))) : null;
  const panels = data.tabs.map((tab) => panelOf(tab, inputs)), last = panels.length - 1;
  const choose = (index) => {
    panels.forEach((panel, i) => {
      panel.classList.toggle('shown', i === index);
      set(tabs[i], {'aria-selected': i === index, tabindex: i === index ? 0 : -1});
    });
    panels[index].turnTo();
    inputs?.look();
    repaintInView();
  };
  const tabs = data.tabs.map((tab, i) => {
    set(panels[i], {id: `panel-${i}`, role: 'tabpanel', 'aria-label': tab.label});
    return set(el('button', {onclick: () => choose(i)}, tab.label), {role: 'tab', 'aria-controls': `panel-${i}`});
  });
  const list = set(el('div', {className: 'tabs', hidden: last === 0}, ...tabs), {role: 'tablist'});
  list.onkeydown = (event) => {
    const to = tabs.indexOf(event.target) + ({ArrowLeft: last, ArrowRight: 1}[event.key] || 0);
    choose(to % tabs.length);
    tabs[to % tabs.length].focus();
  };
  const side = inputs ? [set(el('aside', {}, inputs.element), {'aria-label': say('Inputs', '输入')})] : [];
  const fixed = inputs ? '' : whyFixed(follows ? first : 'picture', false);
  document.body.append(el('main', {className: inputs ? 'plots beside' : 'plots'}, el('h1', {className: 'unseen'}, document.title), list,
    ...side, el('div', {className: 'panels'}, ...panels), ...fixed ? [el('p', {className: 'note'}, fixed)] : []), tip, hatching());
  if (inputs) undoByKeys(() => inputs);
  choose(within(1, Number(wanted('plot')) || 1, tabs.length) - 1);
};
const undoByKeys = (current) => addEventListener('keydown', (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && {z: event.shiftKey ? 'redo' : 'undo', y: 'redo'}[event.key.toLowerCase()];
  if (!isUndo || event.target.tagName === 'INPUT' || !current()) return;
  current()[isUndo]();
  event.preventDefault();
});

// --- The page

const start = async () => {
  Object.assign(data, await unpacked(contentOf('data')));
  data.steps.length > 0 ? showLesson() : showPlots();
  repaintAll();
};
if (!window.DecompressionStream) document.body.append('This page needs a browser of 2023 or newer.');
else start();
