// Attention as the program computes it, from the inputs and rules of a page: stages of 32-bit floats, sums of doubles.

// --- Matrices

const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
const matrixOf = (rows, cols, at) => {
  const values = new Float32Array(rows * cols);
  for (let i = 0; i < values.length; ++i) values[i] = at(Math.floor(i / cols), i % cols);
  return {rows, cols, values, at: (row, col) => values[row * cols + col]};
};
const sumOf = (count, term) => {
  let sum = 0;
  for (let i = 0; i < count; ++i) sum += term(i);
  return sum;
};
const product = (a, b) => matrixOf(a.rows, b.cols, (row, col) => sumOf(a.cols, (i) => a.at(row, i) * b.at(i, col)));
const transposed = (a) => matrixOf(a.cols, a.rows, (row, col) => a.at(col, row));
const columnsOf = (a, first, count) => matrixOf(a.rows, count, (row, col) => a.at(row, first + col));
const mapped = (x, weights, bias) => {
  const out = product(x, weights);
  return bias ? matrixOf(out.rows, out.cols, (row, col) => out.at(row, col) + bias.at(0, col)) : out;
};

// --- Scoring functions and normalisers, by their names in documents

// v·tanh(x + y + b) for each row of x and of y; `rowOf` reads a vector of the head.
const networkScores = (x, y, rowOf) => {
  const v = rowOf('v'), b = rowOf('b');
  return matrixOf(x.rows, y.rows, (row, col) =>
    sumOf(x.cols, (i) => v(i) * Math.tanh(x.at(row, i) + y.at(col, i) + (b ? b(i) : 0))));
};
const dotScores = (q, k) => product(q, transposed(k));
const scoringFunctions = {
  scaled_dot: dotScores,
  dot: dotScores,
  general: (q, k, of) => product(product(q, of('w')), transposed(k)),
  concat: (q, k, of, rowOf) => {
    const part = (x, first) => product(x, transposed(columnsOf(of('w'), first, x.cols)));
    return networkScores(part(q, 0), part(k, q.cols), rowOf);
  },
  additive: (q, k, of, rowOf) =>
    networkScores(product(q, transposed(of('w_query'))), product(k, transposed(of('w_key'))), rowOf),
  location: (q, k, of) => columnsOf(product(q, transposed(of('w'))), 0, k.rows),
};

// Each returns the weights of a row from the logits of its visible keys, and the sink's if there is one.
const normalisers = {
  softmax: (logits, sinks) => {
    const all = logits.concat(sinks), most = Math.max(...all);
    const sum = sumOf(all.length, (i) => Math.exp(all[i] - most));
    return logits.map((logit) => Math.exp(logit - most) / sum);
  },
  sigmoid: (logits) => logits.map((logit) => 1 / (1 + Math.exp(-logit))),
  sparsemax: (logits) => {
    const most = Math.max(...logits), below = logits.map((logit) => logit - most);
    let sum = 0, threshold = 0;
    [...below].sort((a, b) => b - a).forEach((logit, i) => {
      sum += logit;
      if (1 + (i + 1) * logit > sum) threshold = (sum - 1) / (i + 1);
    });
    return below.map((logit) => Math.max(0, logit - threshold));
  },
};

// --- Positions

const frequency = (base, pair, width) => base ** (-2 * pair / width);
const sinusoid = ({halves, base}, at, col, width) => {
  const sines = Math.ceil(width / 2), isSine = halves ? col < sines : col % 2 === 0;
  const phase = at * frequency(base, halves ? (isSine ? col : col - sines) : Math.floor(col / 2), width);
  return isSine ? Math.sin(phase) : Math.cos(phase);
};
const rotated = (rules, x, first) => {
  const width = rules.rotary || x.cols, half = width / 2;
  return matrixOf(x.rows, x.cols, (row, col) => {
    if (col >= width) return x.at(row, col);
    const pair = rules.halves ? col % half : Math.floor(col / 2), isSecond = rules.halves ? col >= half : col % 2 === 1;
    const a = x.at(row, rules.halves ? pair : 2 * pair), b = x.at(row, rules.halves ? pair + half : 2 * pair + 1);
    const angle = (first + row) * rules.frequencies[pair];
    return rules.gain * (isSecond ? b * Math.cos(angle) + a * Math.sin(angle) : a * Math.cos(angle) - b * Math.sin(angle));
  });
};

// --- The stages

// Returns what can be changed: `inputs` by their paths, the flags of `masks`, and `numbers` of the scores; and
// stage(name, at) with rows, cols, values and perhaps hidden, or undefined. `forget` is to be called after each change.
const attentionOf = (rules) => {
  const [layers, samples, heads, keyHeads, queryCount, keyCount] = rules.shape;
  const inputs = rules.inputs.map((input) => ({...input, cols: input.colNames.length, values: floats(input.values)}));
  const byPath = Object.fromEntries(inputs.map((input) => [input.path, input]));
  const numbers = Object.fromEntries(['scale', 'softcap', 'temperature'].map((name) => [name, Float32Array.of(rules[name])]));
  numbers.normaliser = Float32Array.of(Object.keys(normalisers).indexOf(rules.normaliser));
  const same = new Map();
  const shared = (text, make) => same.get(text) || same.set(text, make()).get(text);
  const masks = rules.masks.map(([hidden, bias, first], i) => ({first, bias: bias && floats(bias),
    hidden: shared(`${Math.floor(i / heads)} ${hidden}`, () => Uint8Array.from(hidden, Number))}));
  const maskAt = (at) => masks[(at.layer * samples + at.sample) * heads + at.head];

  // The first number of the input's matrix.
  const startOf = (input, at) => {
    const [ofLayers, ofSamples, ofHeads] = input.counts;
    const layer = Math.min(at.layer, ofLayers - 1), sample = Math.min(at.sample, ofSamples - 1);
    const head = Math.floor(at.head * ofHeads / heads);
    return ((layer * ofSamples + sample) * ofHeads + head) * input.rows * input.cols;
  };
  const part = (path, at) => {
    const input = byPath[path], start = input && startOf(input, at);
    return input && matrixOf(input.rows, input.cols, (row, col) => input.values[start + row * input.cols + col]);
  };
  const rowOf = (path, at) => {
    const all = part(path, at), row = all && all.rows > 1 ? at.head : 0;
    return all && ((i) => all.at(row, i));
  };
  const isHidden = (at, i) => {
    const {hidden, bias} = maskAt(at);
    return hidden[i] > 0 || (bias && bias[i] === -Infinity);
  };
  // The lines of the hatching of each hidden cell, 0 for visible ones.
  const withHidden = (made, at) => Object.assign(made, {hidden: made.values.map((_, i) => isHidden(at, i) ? maskAt(at).hidden[i] || 4 : 0)});
  const eachCell = (from, change) => matrixOf(from.rows, from.cols, (row, col) => change(from.at(row, col), row * from.cols + col));

  const positioned = (x, first, at) => {
    const table = part('/position/table', at), {position} = rules;
    if (!x || !['sinusoidal', 'learned'].includes(position)) return x;
    return matrixOf(x.rows, x.cols, (row, col) => x.at(row, col) +
      (table ? table.at(first + row, col) : sinusoid(rules, first + row, col, x.cols)));
  };
  const projected = (name, input, ofHeads, at) => {
    const x = stage(input, at), weights = part(`/projections/w_${name}`, at);
    if (!x || !weights) return x;
    const width = weights.cols / ofHeads, head = Math.floor(at.head * ofHeads / heads);
    return columnsOf(mapped(x, weights, part(`/projections/b_${name}`, at)), head * width, width);
  };
  // Rows over their root mean square, in the head alone or in all heads.
  const normed = (name, ofHeads, at) => {
    const x = stage(name, at), weight = part(`/projections/${name}_norm`, at);
    if (!x || !weight) return x;
    const headsOf = weight.cols > x.cols ? [...Array(ofHeads).keys()].map((head) => head * heads / ofHeads) : [at.head];
    const all = headsOf.map((head) => stage(name, {...at, head}));
    const start = all.length > 1 ? Math.floor(at.head * ofHeads / heads) * x.cols : 0;
    const sizes = [...Array(x.rows).keys()].map((row) => Math.sqrt(rules.eps +
      sumOf(all.length, (i) => sumOf(x.cols, (col) => all[i].at(row, col) ** 2)) / weight.cols));
    return matrixOf(x.rows, x.cols, (row, col) => x.at(row, col) / sizes[row] * weight.at(0, start + col));
  };
  const turned = (x, first) => x && rules.position === 'rope' ? rotated(rules, x, first) : x;

  const normalised = (at) => {
    const logits = stage('masked', at), weights = new Float64Array(logits.values.length);
    const temperature = numbers.temperature[0], {sinks} = rules, sink = sinks[sinks.length > 1 ? at.head : 0];
    const sharesOf = Object.values(normalisers)[numbers.normaliser[0]];
    for (let row = 0; row < queryCount; ++row) {
      const seen = [...Array(keyCount).keys()].map((key) => row * keyCount + key).filter((i) => !isHidden(at, i));
      const shares = sharesOf(seen.map((i) => logits.values[i] / temperature), sinks.length > 0 ? [sink / temperature] : []);
      seen.forEach((i, nth) => { weights[i] = shares[nth]; });
    }
    return withHidden(matrixOf(queryCount, keyCount, (row, col) => weights[row * keyCount + col]), at);
  };

  const stages = {
    query_input: (at) => positioned(part('/embeddings', at) || part('/query_embeddings', at), maskAt(at).first, at),
    key_input: (at) => positioned(part('/key_embeddings', at) || part('/embeddings', at), 0, at),
    value_input: (at) =>
      positioned(part('/value_embeddings', at) || part('/key_embeddings', at) || part('/embeddings', at), 0, at),
    q: (at) => part('/q', at) || projected('q', 'query_input', heads, at),
    k: (at) => part('/k', at) || projected('k', 'key_input', keyHeads, at),
    v: (at) => part('/v', at) || projected('v', 'value_input', keyHeads, at),
    q_normed: (at) => normed('q', heads, at),
    k_normed: (at) => normed('k', keyHeads, at),
    q_rotated: (at) => turned(stage('q_normed', at), maskAt(at).first),
    k_rotated: (at) => turned(stage('k_normed', at), 0),
    scores: (at) => scoringFunctions[rules.function](stage('q_rotated', at), stage('k_rotated', at),
      (name) => part(`/scoring/${name}`, at), (name) => rowOf(`/scoring/${name}`, at)),
    scaled: (at) => eachCell(stage('scores', at), (score) => score * numbers.scale[0]),
    softcapped: (at) => {
      const cap = numbers.softcap[0];
      return cap ? eachCell(stage('scaled', at), (score) => cap * Math.tanh(score / cap)) : stage('scaled', at);
    },
    masked: (at) => {
      const {bias} = maskAt(at);
      return withHidden(eachCell(stage('softcapped', at), (score, i) =>
        isHidden(at, i) ? -Infinity : score + (bias ? bias[i] : 0)), at);
    },
    weights: normalised,
    output: (at) => {
      const values = stage('v', at), weights = stage('weights', at);
      return values && matrixOf(queryCount, values.cols, (row, col) => sumOf(keyCount, (key) =>
        weights.hidden[row * keyCount + key] ? 0 : weights.at(row, key) * values.at(key, col)));
    },
    concat: (at) => {
      const all = [...Array(heads).keys()].map((head) => stage('output', {...at, head}));
      const width = all[0] && all[0].cols;
      return all[0] && matrixOf(queryCount, heads * width, (row, col) => all[Math.floor(col / width)].at(row, col % width));
    },
    projected: (at) => {
      const weights = part('/projections/w_o', at), all = stage('concat', at), {gates} = rules;
      const gated = all && gates.length > 0
        ? matrixOf(all.rows, all.cols, (row, col) => all.at(row, col) * gates[Math.floor(col * gates.length / all.cols)]) : all;
      return weights && gated && mapped(gated, weights, part('/projections/b_o', at));
    },
  };

  const made = new Map();
  const stage = (name, at) => {
    const key = [name, at.layer, at.sample, at.head].join();
    if (!made.has(key)) made.set(key, stages[name] && stages[name](at));
    return made.get(key);
  };
  return {inputs, byPath, masks, maskAt, numbers, startOf, isHidden, stage, forget: () => made.clear(),
    shape: {layers, samples, heads, queryCount, keyCount}};
};
window.attnscope = {attentionOf, data};  // for readers who want all numbers, in the console
