// Parts of the script of a page: elements, numbers, colours, and maps with their cells.

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
const drawn = (name, attributes) => set(document.createElementNS('http://www.w3.org/2000/svg', name), attributes);
const unpacked = async (text) => {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
};
// Returns a setting of the address after #, such as plot=2&head=5.
const wanted = (name) => new URLSearchParams(location.hash.slice(1)).get(name);
const within = (least, value, most) => Math.max(least, Math.min(value, most));
const arrows = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

// --- Numbers and colours

const signed = (number) => String(number).replace('-', '−');
// Colours go by a power of the magnitude; 0 stands for the logarithm.
const bent = ({power}, value) => power > 0 ? Math.sign(value) * Math.abs(value) ** power : value > 0 ? Math.log(value) : -Infinity;
const straight = ({power}, value) => power > 0 ? bent({power: 1 / power}, value) : Math.exp(value);
const extent = (scale) => bent(scale, scale.high) - bent(scale, scale.low);
const placeOn = (scale, value) =>
  extent(scale) > 0 ? within(0, (bent(scale, value) - bent(scale, scale.low)) / extent(scale), 1) : 0;
const valueAt = (scale, place) => straight(scale, bent(scale, scale.low) + place * extent(scale));
const colorOf = (map, value) => {
  const from = 3 * Math.round(255 * placeOn(map, value));
  return [0, 1, 2].map((channel) => map.colors.charCodeAt(from + channel) - 32);
};
// Black or white, whichever has more contrast.
const inkOn = (color) => {
  const [red, green, blue] = color.map((c) => c <= 10 ? c / 3295 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
};

// Each cell of a map is a letter: its place on the scale, or a mark beyond all places, with the lines of its hatching in
// the bits above. A number is known but for a doubt.
const hiddenMark = 1;
const numbersOf = (index) => {
  const [rows, cols, low, high, power, letters] = data.numbers[index], scale = {low, high, power};
  const code = (i) => letters.charCodeAt(i) - 32, place = (i) => code(i) / data.most, step = 1 / data.most;
  const value = (i) => valueAt(scale, place(i));
  const beyond = (i) => Math.max(0, code(i) - data.most);
  return {rows, cols, value, mark: (i) => beyond(i) & 7, lines: (i) => beyond(i) >> 3,
    doubt: (i) => Math.abs(valueAt(scale, place(i) > 0.5 ? place(i) - step : place(i) + step) - value(i))};
};
// The cells of a map among those of a stage that the script has computed.
const numbersIn = (stage, {rows: {place: [top]}, cols: {place: [left]}}, {rows, cols}) => {
  const at = (i) => (top + Math.floor(i / cols)) * stage.cols + left + i % cols, value = (i) => stage.values[at(i)];
  const lines = (i) => stage.hidden?.[at(i)] || 0;
  const oddMark = (number) => isNaN(number) ? 2 : number === Infinity ? 3 : number === -Infinity ? 4 : 0;
  return {rows, cols, value, mark: (i) => lines(i) ? hiddenMark : oddMark(value(i)), lines, doubt: () => 0};
};

// As many digits as the number was kept with, three at most.
const textOf = (numbers, i) => {
  const mark = numbers.mark(i), value = numbers.value(i), doubt = numbers.doubt(i);
  if (mark > 0) return ['', say('hidden', '被遮住'), 'NaN', '∞', '−∞', say('concealed', '尚未揭晓')][mark];
  const kept = doubt > 0 ? Math.floor(-Math.log10(doubt)) : 12;
  const decimals = within(0, Math.min(kept, 2 - Math.floor(Math.log10(Math.abs(value) || 1))), 12);
  return signed(Number(value.toFixed(decimals)));
};

// --- Maps

// Reads the map that an attribute of an image describes.
const mapOf = (image) => {
  const map = JSON.parse(image.dataset.map);
  const wordsOf = ({word, base, place: [first, step, end], names}) => (at) => {
    const from = first + at * step, last = Math.min(from + step, end) - 1, name = data.names[names][at];
    return last > from ? `${word} ${from + base}–${last + base}` : `${word} ${from + base}${name && name !== String(from + base) ? ` “${name}”` : ''}`;
  };
  const [name, , address] = map.id.split('/'), [layer, sample, head] = (address || '').split('.').map(Number);
  const values = numbersOf(map.values), tints = numbersOf(map.tints);
  return Object.assign(map, {kept: values, values, keptTints: tints, tints, colors: data.colors[map.colors], stage: name,
    at: {layer, sample, head}, isWhole: map.rows.place[1] === 1 && map.cols.place[1] === 1,
    row: map.rows.place[0], col: map.cols.place[0], rowWords: wordsOf(map.rows), colWords: wordsOf(map.cols)});
};
// The layers and samples of the maps of some figures: "0.1".
const addressesIn = (views) => new Set(views.flatMap(({lines}) => {
  let number = 0;
  return lines.flatMap((step) => [...data.lines[number += step].matchAll(/&quot;id&quot;:&quot;[^&]*\/(\d+\.\d+)\.\d+&/g)]);
}).map(([, address]) => address));
const reading = (map, row, col) => [map.head, map.rowWords(row), map.colWords(col)].filter(Boolean).join(', ') +
  `: ${textOf(map.values, row * map.values.cols + col)}`;

// A bitmap of 24 bits, from below, each row a multiple of four bytes.
const paint = (image, map) => {
  const {rows, cols, mark, value} = map.tints, width = 4 * Math.ceil(3 * cols / 4);
  const file = new Uint8Array(54 + width * rows), head = new DataView(file.buffer);
  head.setUint16(0, 0x424D);
  [[2, file.length], [10, 54], [14, 40], [18, cols], [22, rows], [26, 1 + (24 << 16)]]
    .forEach(([at, number]) => head.setUint32(at, number, true));
  const {fill, stroke} = getComputedStyle(image);  // of hidden cells, and of those that are no numbers
  const [hidden, odd] = [fill, stroke].map((color) => color.match(/\d+/g).map(Number));
  for (let i = 0; i < rows * cols; ++i) {
    const marked = map.values.mark(i) || mark(i);
    const color = marked === hiddenMark ? hidden : marked ? odd : colorOf(map, value(i));
    file.set([color[2], color[1], color[0]], 54 + width * (rows - 1 - Math.floor(i / cols)) + 3 * (i % cols));
  }
  const text = file.reduce((all, byte) => all + String.fromCharCode(byte), '');
  image.setAttribute('href', `data:image/bmp;base64,${btoa(text)}`);
};

// --- What is drawn on the cells of a map

// The texts that are the numbers of cells: in the middle of one, with its value.
const numberTexts = (svg, image, map) => {
  const {rows, cols, value, mark, doubt} = map.kept, {x, y, width, height} = boxOf(image);
  const {e, f} = image.parentNode.transform.baseVal.consolidate()?.matrix || {e: 0, f: 0};
  return [...svg.querySelectorAll('text[text-anchor=middle]:not([transform], [font-weight])')].filter((text) => {
    const along = (Number(text.getAttribute('x')) - e - x) / width * cols - 0.5, col = Math.round(along);
    const row = Math.floor((Number(text.getAttribute('y')) - f - y) / height * rows), i = row * cols + col;
    const isInside = row >= 0 && row < rows && col >= 0 && col < cols && Math.abs(along - col) < 0.02;
    const off = Math.abs(Number(text.textContent.replace('−', '-')) - (isInside ? value(i) : NaN));
    return !mark(i) && off <= 0.51 * 10 ** -decimalsOf(text) + doubt(i);
  });
};
const boxOf = (image) =>
  Object.fromEntries(['x', 'y', 'width', 'height'].map((name) => [name, Number(image.getAttribute(name))]));
const decimalsOf = (text) => (text.textContent.split('.')[1] || '').length;

// The signs of rows that see no key, left of a map: [sign, row].
const emptySigns = (svg, image, {kept: {rows}}) => {
  const {x, y, height} = boxOf(image), {e, f} = image.parentNode.transform.baseVal.consolidate()?.matrix || {e: 0, f: 0};
  return [...svg.querySelectorAll('text[text-anchor=end]')].filter((text) => text.textContent === '∅')
    .map((text) => [text, Math.floor((Number(text.getAttribute('y')) - f - y) / height * rows), Number(text.getAttribute('x')) - e - x])
    .filter(([, row, right]) => row >= 0 && row < rows && right <= 0 && right > -30);
};

// Hatchings by the bits of their lines; 8: cells that are no numbers.
const hatchings = {1: [6, 'M0 0H1.4L0 1.4zM6 0V1.4L1.4 6H0z'], 2: [6, 'M0 0H1.4L6 4.6V6zM0 4.6L1.4 6H0z'],
  4: [5, 'M0 0H5V1H0z'], 8: [6, 'M3 0H6V3H3zM0 3H3V6H0z']};
const hatching = () => {
  const svg = set(drawn('svg', {class: 'unseen'}), {'aria-hidden': true});
  svg.innerHTML = Object.entries(hatchings).map(([bit, [side, ink]]) =>
    `<pattern id="hatch-${bit}" width="${side}" height="${side}" patternUnits="userSpaceOnUse"><path d="${ink}"/></pattern>`).join('');
  return svg;
};

// Numbers, hatching and empty rows of a map whose numbers are no longer those of the file; `texts` are its numberTexts,
// `signs` its emptySigns. With `own`, the size and the decimals of numbers, these are drawn in any case.
const drawCells = (image, map, texts, signs, own) => {
  const isChanged = map.values !== map.kept, cells = drawn('g', {class: 'cells'}), {rows, cols, value, mark, lines} = map.values;
  const isEmpty = (row) => [...Array(cols).keys()].every((col) => mark(row * cols + col) === hiddenMark);
  const {x, y, width, height} = boxOf(image), wide = width / cols, high = height / rows;
  image.parentNode.querySelector(':scope > .cells')?.remove();
  [...texts, ...image.parentNode.querySelectorAll(':scope > path')].forEach((of) => of.classList.toggle('past', isChanged));
  signs.forEach(([sign, row]) => sign.classList.toggle('past', isChanged && !isEmpty(row)));
  if (!isChanged && !own) return;
  for (const bit of Object.keys(hatchings)) {
    const has = (i) => bit === '8' ? mark(i) > hiddenMark : lines(i) & bit;
    const boxes = [...Array(rows * cols).keys()].filter(has).map((i) =>
      `M${x + i % cols * wide} ${y + Math.floor(i / cols) * high}h${wide}v${high}h${-wide}z`).join('');
    if (boxes) cells.append(drawn('path', {d: boxes, fill: `url(#hatch-${bit})`}));
  }
  const style = own || texts[0] && {size: Number(texts[0].getAttribute('font-size')), decimals: Math.max(...texts.map(decimalsOf))};
  for (let i = 0; i < rows * cols; ++i) {
    const left = x + i % cols * wide, top = y + Math.floor(i / cols) * high;
    if (mark(i) || !style) continue;
    const number = value(i), fixed = number === 0 ? '0' : Math.abs(number) < 1e4 ? number.toFixed(style.decimals) : number.toPrecision(3);
    const text = drawn('text', {x: left + wide / 2, y: top + high / 2 + 0.36 * style.size,
      'text-anchor': 'middle', 'font-size': style.size, fill: inkOn(colorOf(map, map.tints.value(i)))});
    text.textContent = Number(fixed) === 0 ? fixed.replace('-', '') : signed(fixed);
    cells.append(text);
  }
  for (let row = 0; row < rows; ++row) {
    if (high < 9 || !isEmpty(row) || signs.some(([, of]) => of === row)) continue;
    const sign = drawn('text', {class: 'empty', x: x + wide / 2, y: y + (row + 0.5) * high + 4, 'text-anchor': 'middle', 'font-size': 11});
    sign.textContent = '∅';
    cells.append(sign);
  }
  image.parentNode.append(cells);
};
