// Inputs that readers change: a grid for each matrix and the mask, numbers of the scores, and undo.

// The element, the attention, and what its page needs to know and to say to it. `asked` is the number that a lesson asks
// to change, {path, layer, sample, head, row, col}, or null; `changed` is called after each change. Of several layers and
// samples those of `pictured` (addressesIn) are offered.
const inputsOf = (rules, asked, isOfLesson, changed, pictured) => {
  const attention = attentionOf(rules), {shape, inputs, byPath, numbers} = attention;
  // The first of the heads that share a key-value head.
  const task = asked && {...asked, head: asked.head * shape.heads / byPath[asked.path].counts[2]};

  // --- Numbers and what they were

  const arrays = [...inputs.map((input) => input.values), ...new Set(attention.masks.map((mask) => mask.hidden)),
    ...Object.values(numbers)];
  const kept = new Map(arrays.map((array) => [array, array.slice()]));
  const isOther = (array, i) => array[i] !== kept.get(array)[i];
  const isChanged = () => arrays.some((array) => array.some((_, i) => isOther(array, i)));
  const past = [], future = [];
  let gesture = null;

  // Returns why a number cannot be taken; '' if it can.
  const whyRefused = (array, value) => isNaN(value) ? say('Type a number, such as 0.5', '请输入数，例如 0.5')
    : !isFinite(Math.fround(value)) ? say('Type a number between −3.4e38 and 3.4e38', '请输入 −3.4e38 到 3.4e38 之间的数')
      : value <= 0 && (array === numbers.temperature || array === numbers.softcap) ? say('Type a number above 0', '请输入大于 0 的数') : '';
  // One step to undo, or a part of the one that the same gesture has begun.
  const change = (array, i, value, by = null) => {
    if (whyRefused(array, value) || array[i] === Math.fround(value)) return;
    if (by === null || by !== gesture) past.push([]);
    gesture = by;
    future.length = 0;
    past.at(-1).push([array, i, array[i], value]);
    array[i] = value;
    update();
  };
  const move = (from, to, isBack) => {
    const step = from.pop();
    if (!step) return;
    (isBack ? [...step].reverse() : step).forEach(([array, i, before, after]) => { array[i] = isBack ? before : after; });
    to.push(step);
    gesture = null;
    update();
  };
  const undo = () => move(past, future, true), redo = () => move(future, past, false);
  const restore = () => {
    const step = arrays.flatMap((array) =>
      [...array.keys()].filter((i) => isOther(array, i)).map((i) => [array, i, array[i], kept.get(array)[i]]));
    future.splice(0, Infinity, ...step.length ? [step] : []);
    redo();
  };

  // --- Cells

  const short = (value) => signed(Number(value.toPrecision(4)));
  // Returns the size by which a drag changes a number: the larger of its own and the mean of its row.
  const sizeOf = ({array, i, start, count}) =>
    Math.max(Math.abs(array[i]), sumOf(count, (nth) => Math.abs(array[start + nth])) / count) || 1;
  const rounded = (value, step) => Number((Math.round(value / step) * step).toPrecision(7));
  const stepOf = (size) => 10 ** Math.floor(Math.log10(size));

  const type = (cell, {array, i, words, beside}, text) => {
    const field = set(el('input', {value: text, inputMode: 'decimal'}), {'aria-label': words});
    const typed = () => Number(field.value.trim().replace('−', '-').replace(',', '.') || NaN);
    const why = () => whyRefused(array, typed());
    const end = (isTaken, next) => {
      const value = typed(), left = isTaken && field.value.trim() && why();
      field.onblur = null;
      field.remove();
      report(left && say(`“${field.value}” is not taken. ${left}`, `没有采用“${field.value}”。${left}`));
      if (isTaken) change(array, i, value);
      cell.show();
      next?.focus();
    };
    field.onblur = () => end(true, null);
    field.oninput = () => {
      if (why() || !field.hasAttribute('aria-invalid')) return;
      field.removeAttribute('aria-invalid');
      report();
    };
    field.onkeydown = (event) => {
      const by = {Enter: [1, 0], ArrowDown: [1, 0], ArrowUp: [-1, 0], Tab: [0, event.shiftKey ? -1 : 1]}[event.key];
      if (by && why()) {
        set(field, {'aria-invalid': true});
        report(why());
        event.preventDefault();
        return event.stopPropagation();
      }
      if (by && (event.key !== 'Tab' || beside(by))) event.preventDefault();
      if (by || event.key === 'Escape') end(event.key !== 'Escape', by && beside(by) || cell);
      event.stopPropagation();
    };
    cell.replaceChildren(field);
    field.focus();
    field.select();
  };

  // A number that is dragged up and down, or typed.
  const numberCell = (cell, place) => {
    const {array, i, words, beside} = place, exact = () => String(Number(array[i].toPrecision(7)));
    cell.show = () => {
      if (cell.firstElementChild) return;  // which is typed
      cell.textContent = short(array[i]);
      cell.classList.toggle('changed', isOther(array, i));
      cell.title = isOther(array, i) ? `${say('was', '原为')} ${short(kept.get(array)[i])}` : '';
      set(cell, {'aria-label': `${words}: ${short(array[i])}`});
    };
    cell.onpointerdown = (event) => {
      if (event.button !== 0 || event.target !== cell) return;
      const start = array[i], speed = 0.01 * sizeOf(place), by = {};
      const types = event.pointerType === 'mouse' || document.activeElement === cell;
      let isDragged = false;
      cell.onpointermove = ({clientX, clientY, shiftKey}) => {
        const right = clientX - event.clientX, down = clientY - event.clientY, slow = shiftKey ? 0.1 : 1;
        isDragged = isDragged || Math.hypot(right, down) > 3;
        if (isDragged) change(array, i, rounded(start + (right - down) * slow * speed, stepOf(slow * speed)), by);
      };
      cell.onpointerup = cell.onpointercancel = ({type: name}) => {
        cell.onpointermove = cell.onpointerup = cell.onpointercancel = null;
        if (!isDragged && name === 'pointerup') types ? type(cell, place, exact()) : cell.focus();
      };
      cell.setPointerCapture(event.pointerId);
    };
    cell.onkeydown = (event) => {
      const by = arrows[event.key], step = stepOf(sizeOf(place)) / 10;
      if (event.target !== cell || event.ctrlKey || event.metaKey || event.altKey) return;
      if (by && event.shiftKey) change(array, i, rounded(array[i] + (by[1] - by[0]) * step, step));
      else if (by) beside(by)?.focus();
      else if (['Enter', 'F2', ' '].includes(event.key)) type(cell, place, exact());
      else if (['Delete', 'Backspace'].includes(event.key)) report(whyRefused(array, 0)), change(array, i, 0);
      else if (/^[-\d.,]$/.test(event.key)) type(cell, place, event.key), cell.firstElementChild.setSelectionRange(1, 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  };

  // A cell of the mask, hidden or shown by a click, and with the mouse also those that are dragged over.
  // What was hidden in the file is hidden again as it was, other cells like painted ones.
  const paintedLines = 4;
  const maskCell = (cell, {array, i, words, beside, isFixed}) => {
    let begun = null;
    cell.className = 'switch';
    cell.show = () => {
      const isHidden = isFixed || array[i] > 0;
      cell.classList.toggle('hidden', isHidden);
      cell.classList.toggle('changed', isOther(array, i));
      set(cell, {'aria-label': `${words}: ${isHidden ? say('hidden', '被遮住') : say('visible', '可见')}`});
    };
    cell.turn = (hides, by) => isFixed || change(array, i, hides ? kept.get(array)[i] || paintedLines : 0, by);
    cell.onpointerdown = (event) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return;
      begun = {hides: !array[i], by: {}};
      cell.turn(begun.hides, begun.by);
      cell.setPointerCapture(event.pointerId);
    };
    cell.onpointermove = ({clientX, clientY, buttons}) =>
      begun && buttons && document.elementFromPoint(clientX, clientY)?.turn?.(begun.hides, begun.by);
    cell.onclick = () => begun ? begun = null : cell.turn(!array[i]);
    cell.onkeydown = (event) => {
      if (arrows[event.key]) beside(arrows[event.key])?.focus();
      else if ([' ', 'Enter'].includes(event.key)) cell.turn(!array[i]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  };

  // --- The grid of one matrix

  const sheet = el('div', {className: 'sheet'}), at = {layer: 0, sample: 0, head: 0};
  let path = inputs[0].path;
  const namesOf = (...paths) => byPath[paths.find((one) => byPath[one])].rowNames;
  const countOf = (input) => input.counts.reduce((all, count) => all * count, 1);
  const maskSheet = () => ({count: new Set(attention.masks.map((one) => one.hidden)).size, label: say('Mask', '掩码'), rows: shape.queryCount, cols: shape.keyCount,
    rowNames: namesOf('/q', '/embeddings', '/query_embeddings'),
    colNames: namesOf('/k', '/key_embeddings', '/embeddings')[at.sample], array: attention.maskAt(at).hidden, start: 0});
  const inputSheet = (input) => ({...input, count: countOf(input), array: input.values, start: attention.startOf(input, at)});
  const labelOf = (text) => text.split('_').map((part, i) => i > 0 ? el('sub', {}, part) : part);

  const build = () => {
    const isMask = path === 'mask', of = isMask ? maskSheet() : inputSheet(byPath[path]);
    const rowNames = of.rowNames[Math.min(at.sample, of.rowNames.length - 1)];
    const cells = [...Array(of.rows * of.cols)].map((_, nth) => {
      const row = Math.floor(nth / of.cols), col = nth % of.cols, cell = set(el('td'), {tabindex: nth ? -1 : 0});
      const beside = ([down, right]) => cells[nth + down * of.cols + right];
      const words = `${of.label}, ${rowNames[row]}, ${of.colNames[col]}`;
      (isMask ? maskCell : numberCell)(cell, {array: of.array, i: of.start + nth, start: of.start + row * of.cols, count: of.cols,
        words, beside, isFixed: isMask && attention.maskAt(at).bias?.[nth] === -Infinity});
      cell.onfocus = () => {
        sheet.querySelector('[tabindex="0"]').tabIndex = -1;
        cell.tabIndex = 0;
      };
      return cell;
    });
    const head = (name, scope) => set(el('th', {}, name), {scope, title: name});
    const rows = [...Array(of.rows).keys()].map((row) =>
      el('tr', {}, head(rowNames[row], 'row'), ...cells.slice(row * of.cols, (row + 1) * of.cols)));
    sheet.replaceChildren(set(el('table', {}, el('tr', {}, el('td'), ...of.colNames.map((name) => head(name, 'col'))), ...rows),
      {role: 'grid', 'aria-label': of.label}));
    sheet.cells = cells;
    if (isAsked()) cells[numberAsked - of.start].classList.add('asked');
    choosers.forEach((button) => set(button, {'aria-pressed': button.value === path}));
    heads.hidden = of.count < 2 || allHeads.length < 2;
    [...heads.options].forEach((option) => { option.selected = option.value === nameOfHead(at); });
  };
  // The number of the task among those of its input, and whether its matrix is open.
  const numberAsked = task && attention.startOf(byPath[task.path], task) + task.row * byPath[task.path].cols + task.col;
  const isAsked = () => task && task.path === path &&
    attention.startOf(byPath[path], task) === attention.startOf(byPath[path], at);
  const scrollToAsked = () => {
    const cell = sheet.querySelector('.asked');
    if (cell) sheet.scrollTo(cell.offsetLeft - (sheet.clientWidth - cell.offsetWidth) / 2,
      cell.offsetTop - (sheet.clientHeight - cell.offsetHeight) / 2);
  };
  const open = (toPath, to = at) => {
    if (toPath === path && nameOfHead(to) === nameOfHead(at)) return;
    path = toPath;
    Object.assign(at, {layer: to.layer, sample: to.sample, head: to.head});
    build();
    update(true);
  };

  // --- The panel

  const mostCells = 4000;  // of a mask that is a grid, too
  const mask = shape.queryCount * shape.keyCount > mostCells ? [] : [{path: 'mask', label: say('Mask', '掩码')}];
  const choosers = [...inputs, ...mask].map((of) =>
    el('button', {value: of.path, onclick: () => open(of.path)}, ...labelOf(of.label)));
  const nameOfHead = ({layer, sample, head}) => [['layer', '层', rules.layerNumbers[layer] ?? layer + 1, shape.layers],
    ['sample', '样本', sample + 1, shape.samples], ['head', '头', head + 1, shape.heads]].filter(([, , , count]) => count > 1)
    .map(([english, chinese, number]) => `${say(english, chinese)} ${number}`).join(', ');
  const isPictured = ({layer, sample}) => !pictured.size || pictured.has(`${layer}.${sample}`) || task?.layer === layer && task.sample === sample;
  const allHeads = [...Array(shape.layers * shape.samples * shape.heads).keys()].map((i) => ({head: i % shape.heads,
    sample: Math.floor(i / shape.heads) % shape.samples, layer: Math.floor(i / shape.heads / shape.samples)})).filter(isPictured);
  Object.assign(at, allHeads[0]);
  const heads = set(el('select', {onchange: () => open(path, allHeads[heads.selectedIndex])},
    ...allHeads.map((one) => el('option', {}, nameOfHead(one)))), {'aria-label': say('Head', '头')});

  const setting = (name, label) => {
    const cell = set(el('span', {className: 'setting'}), {tabindex: 0, role: 'button'});
    numberCell(cell, {array: numbers[name], i: 0, start: 0, count: 1, words: label, beside: () => undefined});
    return el('span', {}, `${label} `, cell);
  };
  const normaliser = set(el('select', {onchange: () => change(numbers.normaliser, 0, normaliser.selectedIndex)},
    ...Object.keys(normalisers).map((name) => el('option', {}, name))), {'aria-label': say('Normaliser', '归一化')});
  const settings = el('p', {className: 'settings'}, el('span', {}, say('Scoring', '打分')), setting('scale', say('scale', '缩放')),
    setting('temperature', say('temperature', '温度')), ...rules.softcap ? [setting('softcap', 'softcap')] : [],
    ...rules.sinks.length ? [] : [normaliser]);

  const back = el('button', {onclick: undo}, say('Undo', '撤销')), forth = el('button', {onclick: redo}, say('Redo', '重做'));
  const asBefore = el('button', {onclick: restore}, isOfLesson ? say('As in the lesson', '恢复本课的数') : say('As in the file', '恢复文件的数'));
  const todo = set(el('p', {className: 'task', hidden: !task}), {'aria-live': 'polite'});
  const note = set(el('p', {className: 'note'}), {'aria-live': 'polite'});
  const hint = el('p', {className: 'note'},
    say('Drag a number up or down, or type. In the mask, click.', '上下拖动数字，或直接输入；在掩码中点击。'));
  const element = el('div', {className: 'inputs'}, todo, el('div', {className: 'matrices'}, ...choosers, heads), sheet, settings,
    el('div', {className: 'undo'}, back, forth, asBefore), note, hint);

  let isSeen = true;
  // Shows in the note `why` a number is refused, if one is, and what changed numbers leave as it was.
  const report = (why = '') => {
    const words = isOfLesson
      ? say('You changed numbers: the words and the colour bars are those of the lesson.', '你改了数；文字和色条仍是本课原来的。')
      : say('You changed numbers: titles and colour bars are those of the file.', '你改了数；标题和色条仍是文件原来的。');
    const unseen = isSeen ? [] : [say('No picture here shows the change.', '这里没有图显示这些数。')];
    note.textContent = [...why ? [`${why}${say('.', '。')}`] : [], ...isChanged() ? [words, ...unseen] : []].join(' ');
    note.hidden = !note.textContent;
  };
  const update = (isView = false) => {
    attention.forget();
    [...sheet.cells, ...settings.querySelectorAll('.setting')].forEach((cell) => cell.show());
    normaliser.selectedIndex = numbers.normaliser[0];
    [back.disabled, forth.disabled, asBefore.disabled] = [!past.length, !future.length, !isChanged()];
    const isDone = task && isOther(byPath[task.path].values, numberAsked);
    todo.classList.toggle('done', Boolean(isDone));
    todo.textContent = isDone ? say('Done', '完成') : say('Change the framed number', '改变框住的数');
    isSeen = isView || changed();
    report();
  };
  build();
  if (task) open(task.path, task);
  update(true);
  return {element, attention, isChanged, undo, redo, scrollToAsked, look: () => update(true), goTo: (to) => to && open(path, to)};
};
