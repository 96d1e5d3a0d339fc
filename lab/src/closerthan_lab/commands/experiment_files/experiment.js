"use strict";
// The experiment in the browser. data.js says what is asked; jsPsych shows it.

// All sentences that participants read. Change them freely; the instructions are pages.
const TEXT = {
  triplets: {
    prompt: "Which of the two below is more similar to this?",
    instructions: [
      "Thank you for taking part!\n\nYou will see one thing at the top and two below. " +
        "Choose the one below that is more similar to the thing at the top.",
      "Click on your choice. Or press the left or right arrow key.\n\n" +
        "There is often no right answer: trust your first impression. Some questions are repeated.",
    ],
  },
  "odd-one-out": {
    prompt: "Which one is the odd one out?",
    instructions: [
      "Thank you for taking part!\n\nYou will see three things. " +
        "Choose the odd one out: the one that is least similar to the other two.",
      "Click on your choice. Or press the key 1, 2 or 3, in the order on the screen.\n\n" +
        "There is often no right answer: trust your first impression. Some questions are repeated.",
    ],
  },
  practiced: "That was the practice. Now the questions begin.",
  pause: "Time for a short break. Continue when you are ready.",
  back: "Welcome back! You can continue where you stopped.",
  next: "Next",
  previous: "Previous",
  go: "Continue",
  loading: "Loading the pictures …",
  failed: "The pictures could not be loaded. Please reload this page.",
  thanks: "Thank you, that was the last question!",
  sending: "Your answers are being sent. Please leave this page open.",
  sent: "Your answers were sent.",
  notSent: "Your answers could not be sent, but they are not lost.",
  saved: "Your answers were saved as the file {file}. Please send this file to {contact}.",
  close: "You can close this page now.",
  leave: "The page that completes the study opens in a few seconds.",
  complete: "Then press “Complete the study”.",
  finish: "Complete the study",
  retry: "Try to send again",
  again: "Save the file again",
  person: "Start with another person",
};
const BLANK = 150; // milliseconds between trials
const TOO_FAST = 200; // milliseconds in which nobody answers; the second half of a double click
const TRIES = [0, 2000, 5000]; // milliseconds to wait before each try to send the answers
const PATIENCE = 30000; // milliseconds to wait for the answer to a try
const LEAVING = 4000; // milliseconds until the next page opens

const { form, names, pictures, kinds, lists, breaks } = EXPERIMENT;
const isTriplets = form === "triplets";

// What the browser keeps. A private window may keep nothing; then people cannot continue later.
const store = {
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(`closerthan ${EXPERIMENT.id} ${key}`));
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`closerthan ${EXPERIMENT.id} ${key}`, JSON.stringify(value));
    } catch {
      // not kept
    }
  },
};

// The participant and the list of questions.
const address = new URLSearchParams(location.search);
const inAddress = (...keys) => keys.map((key) => (address.get(key) ?? "").trim()).find(Boolean);
const givenId = inAddress("PROLIFIC_PID", "survey_code", "id", "participant");
const participant = givenId ?? store.get("participant") ?? randomId();
if (!givenId) store.set("participant", participant);

function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return "p" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the participant's list, from 0: as in the address, or by a hash of the id. */
function chooseList() {
  const given = Number(address.get("list"));
  if (Number.isInteger(given) && given >= 1 && given <= lists.length) return given - 1;
  let hash = 2166136261; // FNV-1a
  for (const character of participant) {
    hash = Math.imul(hash ^ character.codePointAt(0), 16777619) >>> 0;
  }
  return hash % lists.length;
}
const list = chooseList();
const trials = lists[list];

// The answers so far, kept after each trial.
const session = store.get(`${list} ${participant}`) ?? {
  began: new Date().toISOString(),
  answers: [], // of each trial: the place of the chosen object, and milliseconds
};
let saved = false;

const keep = () => store.set(`${list} ${participant}`, session);

function record(object, milliseconds) {
  session.answers.push([object, milliseconds]);
  keep();
}

/** Return the object that is right in a check: the anchor itself, or the one that differs. */
function rightAnswer([, a, b, c]) {
  if (isTriplets) return a;
  return a === b ? c : a === c ? b : a;
}

// The file of answers.
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Return a cell of a CSV file. A spreadsheet must not take a text for a formula. */
function cell(value) {
  const text = String(value);
  if (text === "" || NUMBER.test(text)) return text;
  const isFormula = /^'*[=+\-@＝＋－＠\t\r\n]/.test(text);
  return `"${((isFormula ? "'" : "") + text).replaceAll('"', '""')}"`;
}

function table() {
  const objects = isTriplets
    ? ["anchor", "left", "right", "chosen"]
    : ["object_1", "object_2", "object_3", "odd"];
  const extra = { study_id: inAddress("STUDY_ID"), session_id: inAddress("SESSION_ID") };
  const more = Object.keys(extra).filter((key) => extra[key]);
  const header = ["participant", "kind", ...objects, "time", "correct", "trial", "list", "began"];
  const rows = session.answers.map(([chosen, milliseconds], number) => {
    const [kind, ...asked] = trials[number];
    const isCheck = kinds[kind] === "check";
    return [
      participant,
      kinds[kind],
      ...[...asked, chosen].map((object) => names[object]),
      (milliseconds / 1000).toFixed(3),
      isCheck ? String(chosen === rightAnswer(trials[number])) : "",
      number + 1,
      list + 1,
      session.began,
      ...more.map((key) => extra[key]),
    ];
  });
  return [[...header, ...more], ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

const safe = participant.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
const fileName = `answers-${safe}-${session.began.replace(/[-:.Z]/g, "")}.csv`; // of no other session

function download() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv;charset=utf-8" }));
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  saved = true;
}

/** Send the file of answers. Return whether it arrived. */
async function send({ address, ...own }) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...own, filename: fileName, data: table() }),
  };
  for (const pause of TRIES) {
    await new Promise((done) => setTimeout(done, pause));
    try {
      const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE) });
      // DataPipe refuses a file that it has: an earlier try arrived, and only its answer did not.
      if (answer.ok || (await answer.text()).includes("FILE_EXISTS")) return true;
    } catch {
      // no connection, or no answer in time
    }
  }
  return false;
}

/** Return the address that completes the participation. SONA shows it with XXXX for the id. */
function completion() {
  const mine = (_, key) => key + encodeURIComponent(participant);
  return EXPERIMENT.complete_url?.replace(/([?&]survey_code=)X*$/, mine);
}

// What is on the screen.
const escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (text) => `<p class="page">${escape(text)}</p>`;

function show(object) {
  const name = escape(names[object]);
  if (!pictures) return `<span class="word">${name}</span>`;
  return `<img class="picture" src="${pictures[object]}" alt="${name}" draggable="false">`;
}

/** Return a screen with a text and a button. */
function pause(text) {
  return {
    type: jsPsychHtmlButtonResponse,
    stimulus: page(text),
    choices: [TEXT.go],
    enable_button_after: TOO_FAST,
    on_load() {
      const focus = () => document.querySelector(".jspsych-content button").focus();
      jsPsych.pluginAPI.setTimeout(focus, TOO_FAST); // then Enter continues
    },
  };
}

function question([, ...asked]) {
  const choices = isTriplets ? asked.slice(1) : asked;
  const keys = choices.map((_, place) => String(place + 1));
  if (isTriplets) keys.push("ArrowLeft", "ArrowRight");
  const anchor = isTriplets ? `<div class="anchor">${show(asked[0])}</div>` : "";
  let listener = null;
  return {
    type: jsPsychHtmlButtonResponse,
    stimulus: `<p class="prompt">${escape(TEXT[form].prompt)}</p>${anchor}`,
    choices,
    button_html: (object) => `<button class="alternative">${show(object)}</button>`,
    enable_button_after: TOO_FAST,
    post_trial_gap: BLANK,
    on_load() {
      document.body.classList.remove("moving");
      const buttons = document.querySelectorAll(".alternative");
      listener = jsPsych.pluginAPI.getKeyboardResponse({
        callback_function: ({ key }) => buttons[keys.indexOf(key) % choices.length].click(),
        valid_responses: keys,
        persist: true,
      });
    },
    on_finish({ response, rt }) {
      jsPsych.pluginAPI.cancelKeyboardResponse(listener);
      record(choices[response], rt);
      jsPsych.progressBar.progress = session.answers.length / trials.length;
    },
  };
}

function timeline() {
  const start = session.answers.length;
  const left = trials.slice(start);
  const images = pictures ? left.flatMap(([, ...asked]) => asked.map((i) => pictures[i])) : [];
  const screens = [
    {
      type: jsPsychPreload,
      images,
      message: page(TEXT.loading),
      error_message: page(TEXT.failed),
    },
  ];
  if (start) screens.push(pause(TEXT.back));
  else {
    screens.push({
      type: jsPsychInstructions,
      pages: (EXPERIMENT.instructions ?? TEXT[form].instructions).map(page),
      show_clickable_nav: true,
      button_label_next: TEXT.next,
      button_label_previous: TEXT.previous,
      post_trial_gap: BLANK,
    });
  }
  const practice = trials.filter(([kind]) => kinds[kind] === "practice").length;
  left.forEach((trial, number) => {
    const place = start + number - practice; // among the trials after the practice
    if (number && place === 0) screens.push(pause(TEXT.practiced));
    else if (number && breaks && place > 0 && place % breaks === 0) screens.push(pause(TEXT.pause));
    screens.push(question(trial));
  });
  return screens;
}

/** Show the last screen: paragraphs, and buttons with what they do. */
function last(texts, buttons) {
  const screen = jsPsych.getDisplayElement();
  screen.innerHTML = page([TEXT.thanks, ...texts].join("\n\n"));
  for (const [text, action] of buttons) {
    const button = document.createElement("button");
    button.className = "last";
    button.textContent = text;
    button.onclick = action;
    screen.append(button);
  }
}

async function end() {
  const { send_to: receiver, contact } = EXPERIMENT;
  if (receiver && !session.sent) {
    last([TEXT.sending], []);
    session.sent = await send(receiver);
    keep();
  }
  const next = completion();
  const leave = () => location.assign(next);
  const texts = [];
  const buttons = [];
  if (session.sent) {
    saved = true;
    texts.push(`${TEXT.sent} ${next ? TEXT.leave : TEXT.close}`);
    if (next) setTimeout(leave, LEAVING);
  } else {
    if (!saved) download();
    if (receiver) texts.push(TEXT.notSent);
    texts.push(TEXT.saved.replace("{file}", fileName).replace("{contact}", () => contact));
    if (next) texts.push(TEXT.complete);
    if (receiver) buttons.push([TEXT.retry, end]);
    buttons.push([TEXT.again, download]);
  }
  if (next) buttons.push([TEXT.finish, leave]);
  else if (!givenId) buttons.push([TEXT.person, startAnew]);
  last(texts, buttons);
}

function startAnew() {
  store.set("participant", null);
  location.reload();
}

addEventListener("beforeunload", (event) => {
  if (session.answers.length && !saved) event.preventDefault();
});
// The button under a resting mouse must not invite to press it again.
addEventListener("mousemove", ({ movementX, movementY }) => {
  if (movementX || movementY) document.body.classList.add("moving");
});
document.body.classList.add(form);
const jsPsych = initJsPsych({
  show_progress_bar: true,
  auto_update_progress_bar: false,
  message_progress_bar: (progress) => `${Math.round(100 * progress)} %`,
});
jsPsych.run(session.answers.length < trials.length ? timeline() : []).then(end);
