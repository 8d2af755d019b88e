// A lesson, to walk through: its questions, and its steps with their inputs.

// --- Questions of lessons

// The others keep their proportions.
const withShare = (shares, index, share) => shares.map((each, i) => i === index ? share :
  (1 - share) * (shares[index] < 1 - 1e-9 ? each / (1 - shares[index]) : 1 / (shares.length - 1)));
const percent = (share) => `${(100 * share).toFixed(1)} %`;

// Draws a hollow bar of the guess and a full one of the true share.
const barOf = (label, index, state) => {
  const fill = el('span', {className: 'fill'}), guess = el('span', {className: 'guess'}), number = el('output');
  const input = set(el('input', {type: 'range', oninput: () => state.update(index, input.value / 100)}), {'aria-label': label});
  const row = el('div', {className: 'bar'}, el('span', {className: 'token', title: label}, label),
    el('span', {className: 'track'}, fill, guess, input), number);
  row.draw = () => {
    const isRevealed = state.truth !== null, share = (isRevealed ? state.truth : state.guess)[index];
    if (document.activeElement !== input) input.value = 100 * state.guess[index];
    [fill.style.width, guess.style.width] = [share, state.guess[index]].map((of) => `${100 * of}%`);
    row.classList.toggle('revealed', isRevealed);
    guess.hidden = !isRevealed || !state.isGuessed;
    row.title = isRevealed && state.isGuessed ? `${say('Your guess', '你的猜测')}: ${percent(state.guess[index])}` : '';
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
const addQuestion = ({labels, columns, truth, matrix, row, after, revealed}, text, box, onReveal) => {
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
    hint.textContent = say('Full: the answer. Frame: your guess.', '实心是答案，方框是你的猜测。');
    hint.hidden = !bars.length || !state.isGuessed;
    number.hidden = reveal.hidden = true;
    text.append(el('div', {className: 'after', innerHTML: after}));
    show(box, revealed, null, null);
    onReveal();
    emphasise();
  };
  text.append(el('div', {className: 'question'}, hint, ...bars, set(number, {'aria-label': number.placeholder}), verdict, reveal));
  draw();
  return (map, atRow, atCol) => {
    const name = names[columns.indexOf(map.col + atCol)];
    if (state.truth || map.id !== matrix || map.row + atRow !== row || name === undefined) return false;
    state.chosen = `“${name}”`;
    verdict.textContent = say(`You chose ${state.chosen}.`, `你选了${state.chosen}。`);
    return true;
  };
};

// --- Steps of lessons

const next = el('button', {}, say('Next', '下一步'));
const emphasise = () => next.classList.toggle('primary', !document.querySelector('.shown .reveal:not([hidden])'));
const stepName = (index) => say(`Step ${index + 1}`, `第 ${index + 1} 步`);
const sectionOf = (step, index) => {
  const box = figureBox(), text = el('div', {className: 'text', innerHTML: step.text});
  const section = set(el('section', {className: 'step'}, text, box), {'aria-label': stepName(index)});
  const addInputs = (view) => {
    const why = whyFixed(view.follows ? step.inputs : 'picture', true);
    if (!why) addInputsBelow(section, step, () => show(box, view, null, section.inputs));
    else if (data.inputs.length) section.append(el('p', {className: 'note'}, why));
  };
  show(box, step, step.question ? addQuestion(step.question, text, box, () => addInputs(step.question.revealed)) : null);
  if (!step.question) addInputs(step);
  return section;
};
// The inputs of a step, made when they are first seen; until the reader closes them they are open.
let opensInputs = true;
const addInputsBelow = (section, step, onMade) => {
  const head = el('summary', {onclick: () => { opensInputs = !more.open; }}, say('Inputs', '输入'));
  const more = el('details', {className: 'more'}, head);
  const heard = () => {
    head.textContent = section.inputs.isChanged() ? say('Inputs, changed', '输入（已改）') : say('Inputs', '输入');
    return repaintInView();
  };
  more.ontoggle = () => {
    if (!more.open || section.inputs) return;
    section.inputs = inputsOf(data.inputs[step.inputs], step.task, true, heard, addressesIn([step]));
    more.append(section.inputs.element);
    if (!step.task) section.inputs.goTo(headIn(section));
    onMade();
    section.inputs.scrollToAsked();
  };
  section.openInputs = () => { more.open = opensInputs || Boolean(step.task); };
  section.append(more);
  if (section.classList.contains('shown')) section.openInputs();
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
  if (!data.inputs.length) sections.at(-1).firstChild.append(el('blockquote', {},
    say(`This page shows its numbers and cannot change them: for that, open ${file || 'the lesson'} in AttnScope.`,
      `本页只能看，不能改数字；要改，请在 AttnScope 中打开${file ? ` ${file}` : '本课'}。`)));
  document.body.append(
    el('header', {}, el('h1', {}, data.title), place, set(el('nav', {className: 'progress'}, ...links), {'aria-label': say('Steps', '步骤')})),
    el('main', {className: 'lesson'}, ...sections), el('footer', {}, back, next), tip, hatching());
  const update = () => {
    const at = now() - 1;
    sections.forEach((section, i) => section.classList.toggle('shown', i === at));
    links.forEach((link, i) => set(link, {class: i < at ? 'done' : '', 'aria-current': i === at ? 'step' : 'false'}));
    place.textContent = say(`${at + 1} of ${count}`, `第 ${at + 1} 步，共 ${count} 步`);
    [back.disabled, next.disabled, tip.hidden] = [at === 0, at === count - 1, true];
    emphasise();
    repaintInView();
    sections[at].openInputs?.();
    sections[at].inputs?.scrollToAsked();
    scrollTo(0, 0);
  };
  undoByKeys(() => sections[now() - 1].inputs);
  addEventListener('hashchange', update);
  addEventListener('keydown', (event) => {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (by && !['INPUT', 'SELECT'].includes(event.target.tagName) && !event.ctrlKey && !event.altKey && !event.metaKey) go(by);
  });
  update();
};
