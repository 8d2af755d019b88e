// Script of pages that AttnScope writes: paints maps, tells numbers, and walks through lessons.
'use strict';
(() => {
  const contentOf = (id) => document.getElementById(id)?.content.textContent;
  const data = {}, isChinese = document.documentElement.lang === 'zh', say = (english, chinese) => isChinese ? chinese : english;

  // --- Elements and bytes

  const el = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const set = (element, attributes) =>
    Object.keys(attributes).reduce((it, name) => (it.setAttribute(name, attributes[name]), it), element);
  const unpacked = async (text) => {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
  };
  // What the address says after #, such as plot=2&head=5.
  const wanted = (name) => new URLSearchParams(location.hash.slice(1)).get(name);
  const within = (least, value, most) => Math.max(least, Math.min(value, most));

  // --- Numbers and colours

  const signed = (number) => String(number).replace('-', '−');
  // Colours go by a power of the magnitude; 0 stands for the logarithm.
  const bent = ({power}, value) => power > 0 ? Math.sign(value) * Math.abs(value) ** power :
    value > 0 ? Math.log(value) : -Infinity;
  const straight = ({power}, value) => power > 0 ? bent({power: 1 / power}, value) : Math.exp(value);
  const extent = (scale) => bent(scale, scale.high) - bent(scale, scale.low);
  const placeOn = (scale, value) =>
    extent(scale) > 0 ? within(0, (bent(scale, value) - bent(scale, scale.low)) / extent(scale), 1) : 0;
  const valueAt = (scale, place) => straight(scale, bent(scale, scale.low) + place * extent(scale));

  // Each cell of a map is a letter: its place on the scale, or a mark beyond all places.
  const numbersOf = (index) => {
    const [rows, cols, low, high, power, letters] = data.numbers[index];
    const code = (i) => letters.charCodeAt(i) - 32;
    return {rows, cols, low, high, power, step: 1 / data.most, place: (i) => code(i) / data.most,
      mark: (i) => Math.max(0, code(i) - data.most)};
  };

  // As many digits as the number was kept with, three at most.
  const textOf = (numbers, i) => {
    const {step} = numbers, mark = numbers.mark(i), place = numbers.place(i), value = valueAt(numbers, place);
    if (mark > 0) return ['', say('hidden', '被遮住'), 'NaN', '∞', '−∞', say('not told yet', '尚未揭晓')][mark];
    const doubt = Math.abs(valueAt(numbers, place > 0.5 ? place - step : place + step) - value);
    const kept = doubt > 0 ? Math.floor(-Math.log10(doubt)) : 12;
    const decimals = within(0, Math.min(kept, 2 - Math.floor(Math.log10(Math.abs(value) || 1))), 12);
    return signed(Number(value.toFixed(decimals)));
  };

  // What an image's attribute says of its map.
  const mapOf = (image) => {
    const map = JSON.parse(image.dataset.map);
    const wordsOf = ({word, base, place: [first, step, end], names}) => (at) => {
      const from = first + at * step, last = Math.min(from + step, end) - 1, name = names[at] ? ` “${names[at]}”` : '';
      return last > from ? `${word} ${from + base}–${last + base}` : `${word} ${from + base}${name}`;
    };
    return Object.assign(map, {values: numbersOf(map.values), tints: numbersOf(map.tints), colors: data.colors[map.colors],
      row: map.rows.place[0], col: map.cols.place[0], rowWords: wordsOf(map.rows), colWords: wordsOf(map.cols)});
  };
  const reading = (map, row, col) => [map.head, map.rowWords(row), map.colWords(col)].filter(Boolean).join(', ') +
    `: ${textOf(map.values, row * map.values.cols + col)}`;

  // A bitmap of 24 bits, from below, each row a multiple of four bytes.
  const paint = (image, map) => {
    const {rows, cols, mark, place} = map.tints, width = 4 * Math.ceil(3 * cols / 4);
    const file = new Uint8Array(54 + width * rows), head = new DataView(file.buffer);
    head.setUint16(0, 0x424D);
    [[2, file.length], [10, 54], [14, 40], [18, cols], [22, rows], [26, 1 + (24 << 16)]]
      .forEach(([at, value]) => head.setUint32(at, value, true));
    const {fill, stroke} = getComputedStyle(image);  // of hidden cells, and of those that are no numbers
    const [hidden, odd] = [fill, stroke].map((color) => color.match(/\d+/g).map(Number));
    for (let i = 0; i < rows * cols; ++i) {
      const marked = map.values.mark(i) || mark(i), from = 3 * Math.round(255 * placeOn(map, valueAt(map.tints, place(i))));
      const color = marked === 1 ? hidden : marked ? odd : [0, 1, 2].map((c) => map.colors.charCodeAt(from + c) - 32);
      file.set([color[2], color[1], color[0]], 54 + width * (rows - 1 - Math.floor(i / cols)) + 3 * (i % cols));
    }
    const text = file.reduce((all, byte) => all + String.fromCharCode(byte), '');
    image.setAttribute('href', `data:image/bmp;base64,${btoa(text)}`);
  };

  // --- Figures

  const tip = el('div', {className: 'tip', hidden: true}), painters = new Map();
  const paintAll = () => painters.forEach((again) => again());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paintAll);
  const figureBox = () => el('figure', {}, el('div'), set(el('p', {className: 'reading'}), {'aria-live': 'polite'}));

  // Puts a figure into its box; `choose`, if any, hears of clicks on cells.
  const show = (box, lines, choose) => {
    let number = 0;
    box.firstChild.innerHTML = lines.map((step) => data.lines[number += step]).join('\n');
    box.lastChild.textContent = '';
    const svg = box.querySelector('svg'), title = svg.querySelector(':scope > title');
    const {width, height} = svg.viewBox.baseVal;
    if (title) svg.setAttribute('aria-label', title.textContent);
    box.firstChild.classList.toggle('fits', height < 1.2 * width);
    svg.style.minWidth = `${0.8 * width}px`;  // where letters are still read
    const images = [...svg.querySelectorAll('image[data-map]')];
    if (title && images.length) title.remove();  // its tooltip would cover that of the cells
    const maps = images.map(mapOf);
    painters.set(box, () => images.forEach((image, i) => paint(image, maps[i])));
    if (box.isConnected) painters.get(box)();  // which has the colours of its style
    images.forEach((image, i) => follow(image, maps[i], box.lastChild, choose, [images[i - 1], images[i + 1]]));
  };

  // Frames the cell under the pointer or the keys and tells its number.
  const follow = (image, map, told, choose, beside) => {
    const {rows, cols} = map.values, cursor = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    let row = 0, col = 0;
    const point = (toRow, toCol) => {
      [row, col] = [within(0, toRow, rows - 1), within(0, toCol, cols - 1)];
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => Number(image.getAttribute(name)));
      image.after(set(cursor, {class: 'cursor', x: x + col * width / cols, y: y + row * height / rows,
        width: width / cols, height: height / rows}));
      told.textContent = reading(map, row, col);
    };
    const pointUnder = (event) => {
      const box = image.getBoundingClientRect();
      point(Math.floor((event.clientY - box.top) / box.height * rows), Math.floor((event.clientX - box.left) / box.width * cols));
    };
    const leave = () => (tip.hidden = true) && document.activeElement !== image && cursor.remove();
    const keys = say('Arrow keys move among the cells', '用方向键在格子间移动');
    set(image, {tabindex: beside[0] ? -1 : 0, role: 'img', 'aria-label': `${map.head} ${rows} × ${cols}. ${keys}`});
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
      if (choose) choose(map, row, col);
    };
    image.onkeydown = (event) => {
      const move = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
      const next = {PageUp: beside[0], PageDown: beside[1]}[event.key];
      if (event.key === 'Enter' && choose) choose(map, row, col);
      if (move) point(row + move[0], col + move[1]);
      if (next) next.focus();
      if (move || next) [event.preventDefault(), event.stopPropagation()];
    };
  };

  // --- Plots as tabs

  const panelOf = (tab) => {
    const box = figureBox(), first = tab.views[tab.first], choosers = {};
    const panel = el('section', {className: 'panel'}, el('p', {className: 'choices'}), box);
    const draw = () => {
      const isChosen = (view) => Object.keys(choosers).every((name) => view[name] === choosers[name].value);
      show(box, tab.views.find(isChosen).lines);
    };
    for (const [name, label] of [['layer', say('Layer', '层')], ['head', say('Head', '头')]]) {
      const values = [...new Set(tab.views.map((view) => view[name]))];
      if (values.length < 2) continue;
      choosers[name] = el('select', {onchange: draw}, ...values.map((value) => el('option', {}, value)));
      choosers[name].value = values.includes(wanted(name)) ? wanted(name) : first[name];
      panel.firstChild.append(el('label', {}, `${label} `, choosers[name]));
    }
    draw();
    return panel;
  };

  const showPlots = () => {
    const panels = data.tabs.map(panelOf), last = panels.length - 1;
    const choose = (index) => panels.forEach((panel, i) => {
      panel.classList.toggle('shown', i === index);
      set(tabs[i], {'aria-selected': i === index, tabindex: i === index ? 0 : -1});
    });
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
    document.body.append(el('main', {className: 'plots'}, el('h1', {className: 'unseen'}, document.title), list, ...panels), tip);
    choose(within(1, Number(wanted('plot')) || 1, tabs.length) - 1);
  };

  // --- Questions of lessons

  // The others keep their proportions.
  const withShare = (shares, index, share) => shares.map((each, i) => i === index ? share :
    (1 - share) * (shares[index] < 1 - 1e-9 ? each / (1 - shares[index]) : 1 / (shares.length - 1)));
  const percent = (share) => `${(100 * share).toFixed(1)} %`;

  // Hollow what was guessed, full what is true.
  const barOf = (label, index, state) => {
    const fill = el('span', {className: 'fill'}), guess = el('span', {className: 'guess'}), number = el('output');
    const input = set(el('input', {type: 'range', oninput: () => state.update(index, input.value / 100)}), {'aria-label': label});
    const row = el('div', {className: 'bar'}, el('span', {className: 'token', title: label}, label),
      el('span', {className: 'track'}, fill, guess, input), number);
    row.draw = () => {
      const isTold = state.truth !== null, share = (isTold ? state.truth : state.guess)[index];
      if (document.activeElement !== input) input.value = 100 * state.guess[index];
      [fill.style.width, guess.style.width] = [share, state.guess[index]].map((of) => `${100 * of}%`);
      row.classList.toggle('told', isTold);
      guess.hidden = !isTold || !state.isGuessed;
      row.title = isTold && state.isGuessed ? `${say('Your guess', '你的猜测')}: ${percent(state.guess[index])}` : '';
      number.textContent = percent(share);
    };
    return row;
  };

  const brief = (number, digits) => signed(Number(number.toPrecision(digits)));

  const verdictOn = (names, {truth, guess, chosen, isGuessed}) => {
    const best = `“${names[truth.indexOf(Math.max(...truth))]}”`;
    const off = truth.reduce((sum, share, i) => sum + (share > 0 ? share * Math.log(share / guess[i]) : 0), 0);
    const nats = brief(Math.max(0, off), 2);
    const said = !chosen ? '' : chosen === best ? say(`You chose ${best}: yes. `, `你选了${best}：对。`)
      : say(`You chose ${chosen}; the largest is ${best}. `, `你选了${chosen}；最大的是${best}。`);
    return said + (!isGuessed ? '' : isFinite(off) ? say(`Your guess was ${nats} nats off (KL).`, `你的猜测相差 ${nats} 纳特（KL）。`)
      : say('Your guess gave nothing to a key that gets some: infinitely far off.', '有一个键得到了权重，而你的猜测是 0：相差无穷大。'));
  };

  const verdictOnNumber = (guess, truth) => {
    const [said, is, off] = [brief(guess, 4), brief(truth, 4), brief(Math.abs(guess - truth), 2)];
    return say(`You said ${said}, it is ${is}: ${off} off.`, `你猜 ${said}，答案是 ${is}：相差 ${off}。`);
  };

  // Adds bars to drag, or a field for a number, and Reveal; returns what hears of clicks on cells.
  const addQuestion = ({labels, columns, truth, matrix, row, after, told}, text, box) => {
    const names = labels.map((label, i) => labels.filter((other) => other === label).length > 1 ? `${label} ${columns[i] + 1}` : label);
    const state = {guess: names.map(() => 1 / names.length), truth: null, chosen: '', isGuessed: false,
      update: (index, share) => draw([state.guess, state.isGuessed] = [withShare(state.guess, index, share), true])};
    const bars = names.map((name, i) => barOf(name, i, state)), draw = () => bars.forEach((bar) => bar.draw());
    const verdict = set(el('p', {className: 'verdict'}), {'aria-live': 'polite'});
    const hint = el('p', {className: 'hint', hidden: bars.length === 0},
      say('Drag to your guess: the bars are made to sum to 100 %.', '拖动横条来猜；各条之和总是 100 %。'));
    const number = el('input', {type: 'number', step: 'any', className: 'number', hidden: bars.length > 0 || truth.length !== 1,
      placeholder: say('Your guess: a number', '你的猜测：一个数'), onkeydown: (event) => event.key === 'Enter' && reveal.click()});
    const reveal = el('button', {className: 'reveal primary'}, say('Reveal', '揭晓'));
    reveal.onclick = () => {
      state.truth = truth;
      verdict.textContent = bars.length > 0 ? verdictOn(names, state) : number.value ? verdictOnNumber(Number(number.value), truth[0]) : '';
      draw();
      hint.hidden = number.hidden = reveal.hidden = true;
      text.append(el('div', {className: 'after', innerHTML: after}));
      show(box, told);
      emphasise();
    };
    text.append(el('div', {className: 'question'}, hint, ...bars, set(number, {'aria-label': number.placeholder}), verdict, reveal));
    draw();
    return (map, atRow, atCol) => {
      const name = names[columns.indexOf(map.col + atCol)];
      if (state.truth || map.id !== matrix || map.row + atRow !== row || name === undefined) return;
      state.chosen = `“${name}”`;
      verdict.textContent = say(`You chose ${state.chosen}.`, `你选了${state.chosen}。`);
    };
  };

  // --- Steps of lessons

  const next = el('button', {}, say('Next', '下一步'));
  const emphasise = () => next.classList.toggle('primary', !document.querySelector('.shown .reveal:not([hidden])'));
  const stepName = (index) => say(`Step ${index + 1}`, `第 ${index + 1} 步`);
  const sectionOf = (step, index) => {
    const box = figureBox();
    const text = el('div', {className: 'text', innerHTML: step.text});
    show(box, step.lines, step.question ? addQuestion(step.question, text, box) : null);
    return set(el('section', {className: 'step'}, text, box), {'aria-label': stepName(index)});
  };

  const showLesson = () => {
    const count = data.steps.length, now = () => within(1, Number(wanted('step')) || 1, count);
    const go = (by) => { location.hash = `step=${within(1, now() + by, count)}`; };
    const place = set(el('p', {className: 'place'}), {'aria-live': 'polite'});
    const back = el('button', {onclick: () => go(-1)}, say('Back', '上一步'));
    next.onclick = () => go(1);
    const links = data.steps.map((_, i) => set(el('a', {title: stepName(i)}), {href: `#step=${i + 1}`, 'aria-label': stepName(i)}));
    const sections = data.steps.map(sectionOf), record = contentOf('AttnScope');
    const file = record && JSON.parse(record).document;
    sections.at(-1).firstChild.append(el('blockquote', {},
      say(`This page shows its numbers and cannot change them: for that, open ${file || 'the lesson'} in AttnScope.`,
        `本页只能看，不能改数字；要改，请在 AttnScope 中打开${file ? ` ${file}` : '本课'}。`)));
    document.body.append(
      el('header', {}, el('h1', {}, data.title), place, set(el('nav', {className: 'progress'}, ...links), {'aria-label': say('Steps', '步骤')})),
      el('main', {className: 'lesson'}, ...sections), el('footer', {}, back, next), tip);
    const update = () => {
      const at = now() - 1;
      sections.forEach((section, i) => section.classList.toggle('shown', i === at));
      links.forEach((link, i) => set(link, {class: i < at ? 'done' : '', 'aria-current': i === at ? 'step' : 'false'}));
      place.textContent = say(`${at + 1} of ${count}`, `第 ${at + 1} 步，共 ${count} 步`);
      [back.disabled, next.disabled, tip.hidden] = [at === 0, at === count - 1, true];
      emphasise();
      scrollTo(0, 0);
    };
    addEventListener('hashchange', update);
    addEventListener('keydown', (event) => {
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (by && event.target.tagName !== 'INPUT' && !event.ctrlKey && !event.altKey && !event.metaKey) go(by);
    });
    update();
  };

  const start = async () => {
    Object.assign(data, await unpacked(contentOf('data')));
    data.steps.length > 0 ? showLesson() : showPlots();
    paintAll();
  };
  if (!window.DecompressionStream) document.body.append('This page needs a browser of 2023 or newer.');
  else start();
})();
