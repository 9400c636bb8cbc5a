// The page: one person looks at a group and at everybody's private chat, and acts as whoever he likes.

import { Chat } from "./chat.js";
import { avatar, h, lastLine, nameNode, nameOf, tick } from "./view.js";
import { chinese, language, words } from "./words.js";

const ANSWER_TIME = 20_000; // ms after which a button stops waiting
const $ = (id) => document.getElementById(id);
const app = $("app");

// What the server told, and nothing else.
const world = {
  bot: null, users: new Map(), chats: new Map(), messages: new Map(), reactions: new Map(), house: new Set(),
  clock: { now: 0, rate: 1, at: 0 }, born: "",

  people() { return [...this.users.values()]; },
  groups() { return [...this.chats.values()].filter((chat) => chat.type !== "private" && !chat.migrated_to); },
  present(chat) {
    return Object.entries(chat.members ?? {}).filter(([, status]) => status !== "left" && status !== "kicked").map(([id]) => Number(id));
  },
  of(id) {
    if (!this.messages.has(id)) this.messages.set(id, new Map());
    return this.messages.get(id);
  },
  history(chat) {
    const before = chat.migrated_from ? [...this.of(chat.migrated_from).values()] : [];
    return [...before, ...this.of(chat.id).values()];
  },
  message(chat, id) { return this.of(chat.id).get(Number(id)) ?? (chat.migrated_from && this.of(chat.migrated_from).get(Number(id))); },
  reaction(message) { return this.reactions.get(`${message.chat.id} ${message.message_id}`); },
  now() { return this.clock.now + ((performance.now() - this.clock.at) / 1000) * this.clock.rate; },
};

let me = 0;
let groupId = 0;
const waiting = new Map(); // "user chat message data" → true while the bot has not answered
const asked = new Map(); // query id → what was pressed and where
const early = new Map(); // answers that came before the id of their query

// What the page's person can do.
const desk = {
  async act(name, body) {
    const response = await fetch(`/api/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const result = await response.json().catch(() => ({ error: response.statusText }));
    if (!response.ok) (app.dataset.tab === "private" ? privateChat : groupChat).toast(words.refusals[result.error] ?? result.error);
    return response.ok ? result : null;
  },
  say(user, chat, text, replyTo) { return this.act("say", { user, chat: chat.id, text, reply_to: replyTo }); },
  async press(user, message, data, where) {
    const key = pressKey(user, message, data);
    if (waiting.has(key)) return;
    waiting.set(key, true);
    where.changed(message);
    const press = { key, message, where, user };
    const result = await this.act("press", { user, chat: message.chat.id, message: message.message_id, data });
    if (!result) return answered(press, null);
    asked.set(result.query, press);
    setTimeout(() => asked.delete(result.query) && answered(press, { text: words.late }), ANSWER_TIME);
    if (early.has(result.query)) settle(result.query, early.get(result.query));
  },
  waits(user, message, data) { return data !== undefined && waiting.has(pressKey(user, message, data)); },
  async follow(user, url) {
    const result = await this.act("open", { user, url });
    if (result?.ours) this.tab("private");
    else if (result) window.open(url, "_blank", "noopener,noreferrer");
  },
  commands(chat, user) { return fetch(`/api/commands?chat=${chat.id}&user=${user}`).then((response) => (response.ok ? response.json() : [])); },
  actAs(user) {
    me = user;
    remember();
    showChats();
    showList();
  },
  tab(name) {
    app.dataset.tab = name;
    for (const button of $("tabs").children) button.toggleAttribute("aria-current", button.dataset.tab === name);
    if (name === "private") privateChat.toBottom();
    if (name === "group") groupChat.toBottom();
  },
  seen(where) {
    if (!where.chat || !visible(where)) return;
    const newest = [...world.of(where.chat.id).keys()].at(-1);
    if (newest === undefined || read[where.chat.id] === newest) return;
    read[where.chat.id] = newest;
    remember();
    showList();
  },
};

const groupChat = new Chat($("group"), world, desk, true);
const privateChat = new Chat($("private"), world, desk, false);

function pressKey(user, message, data) {
  return `${user} ${message.chat.id} ${message.message_id} ${data}`;
}

function settle(query, answer) {
  const press = asked.get(query);
  if (!press) {
    early.set(query, answer);
    setTimeout(() => early.delete(query), ANSWER_TIME);
    return;
  }
  asked.delete(query);
  early.delete(query);
  answered(press, answer);
}

function answered(press, answer) {
  waiting.delete(press.key);
  const current = world.of(press.message.chat.id).get(press.message.message_id);
  if (current && press.where.chat?.id === current.chat.id) press.where.changed(current);
  if (answer?.url) desk.follow(press.user, answer.url);
  else if (answer?.text && answer.show_alert) popUp(answer.text);
  else if (answer?.text) press.where.toast(answer.text);
}

function popUp(text) {
  $("alert").querySelector("p").textContent = text;
  $("alert").showModal();
}

// What was read is remembered per playground, in this browser.
let read = {};

function remember() {
  localStorage.setItem(`nightfall ${world.born}`, JSON.stringify({ read, me }));
}

function recall() {
  const kept = JSON.parse(localStorage.getItem(`nightfall ${world.born}`) ?? "{}");
  read = kept.read ?? {};
  return kept.me;
}

function visible(where) {
  const narrow = getComputedStyle($("tabs")).display !== "none";
  return document.visibilityState === "visible" && (!narrow || app.dataset.tab === where.root.id);
}

function unread(id) {
  const mark = read[id] ?? 0;
  return [...world.of(id).values()].filter((message) => message.message_id > mark && message.from.id === world.bot.id).length;
}

// The list of chats

function showList() {
  const groups = world.groups().map((chat) =>
    row({
      picture: avatar({ id: chat.id, first_name: chat.title }), title: h("bdi", {}, chat.title), chat, current: chat.id === groupId,
      open: () => { groupId = chat.id; showChats(); showList(); desk.tab("group"); },
    }),
  );
  const people = world.people().map((user) =>
    h(
      "div",
      { class: "entry" },
      row({
        picture: avatar(user), title: nameNode(user), chat: world.chats.get(user.id) ?? { id: user.id, absent: true }, current: user.id === me, mine: user.id === me,
        quiet: world.house.has(user.id), open: () => { desk.actAs(user.id); desk.tab("private"); },
      }),
      h("button", {
        class: "house", role: "switch", "aria-checked": String(world.house.has(user.id)), title: words.houseOf(nameOf(user)), "aria-label": words.houseOf(nameOf(user)),
        onclick: () => desk.act("play", { user: user.id, on: !world.house.has(user.id) }),
      }),
    ),
  );
  const place = $("list").scrollTop;
  $("list").replaceChildren(h("h3", {}, words.group), ...groups, h("h3", {}, words.people, h("small", {}, words.house)), ...people);
  $("list").scrollTop = place;
  const own = unread(me);
  const tab = $("tabs").querySelector('[data-tab="private"]');
  tab.replaceChildren(words.private, ...(own ? [h("b", { class: "badge" }, own)] : []));
  document.title = own ? `(${own}) Nightfall` : "Nightfall";
}

function row({ picture, title, chat, current, mine, quiet, open }) {
  const last = [...world.of(chat.id).values()].at(-1);
  const count = unread(chat.id);
  const line = chat.absent ? words.closed : chat.members?.[world.bot.id] === "kicked" ? words.blocked : lastLine(last);
  return h(
    "button",
    { class: "chatrow", "aria-current": current ? "true" : undefined, onclick: open },
    picture,
    h("span", { class: "lines" }, h("span", { class: "top" }, title, mine && h("span", { class: "tag" }, words.you)), h("span", { class: "preview" }, line)),
    count > 0 && h("b", { class: quiet ? "badge quiet" : "badge" }, count),
  );
}

function showChats() {
  const group = world.chats.get(groupId);
  if (group) groupChat.open(group, me);
  privateChat.open(world.chats.get(me) ?? { id: me, type: "private", members: {} }, me);
  desk.seen(groupChat);
  desk.seen(privateChat);
}

// What the server tells

const told = {
  everything(all) {
    world.bot = all.bot;
    world.born = String(all.world?.at ?? "");
    world.users = new Map(all.users.map((user) => [user.id, user]));
    world.chats = new Map(all.chats.map((chat) => [chat.id, chat]));
    world.messages = new Map();
    for (const message of all.messages) world.of(message.chat.id).set(message.message_id, message);
    all.reactions.forEach(setReaction);
    world.house = new Set(all.house.players);
    told.clock(all.clock);
    const kept = recall();
    me = [me, kept].find((id) => world.users.has(id)) ?? world.people().find((user) => !world.house.has(user.id))?.id ?? world.people()[0]?.id;
    if (!world.groups().some((chat) => chat.id === groupId)) groupId = world.groups()[0]?.id;
    showChats();
    showList();
  },
  user(user) { world.users.set(user.id, user); },
  chat(chat) {
    world.chats.set(chat.id, chat);
    if (chat.migrated_to && groupId === chat.id) groupId = chat.migrated_to;
    if (chat.id === groupId || chat.id === me || chat.migrated_from) refresh();
  },
  message({ message }) {
    const known = world.of(message.chat.id);
    const before = known.get(message.message_id);
    known.set(message.message_id, message);
    const where = whereIs(message.chat.id);
    where?.changed(message, { fresh: Boolean(before) && (before.text !== message.text) });
    if (where) desk.seen(where);
  },
  deleted({ chat_id, message_id }) {
    world.of(chat_id).delete(message_id);
    whereIs(chat_id)?.changed({ message_id }, { gone: true });
  },
  answer({ id, answer }) { settle(id, answer); },
  action({ chat_id }) { whereIs(chat_id)?.showTyping(); },
  reaction(record) {
    setReaction(record);
    const message = world.of(record.chat_id).get(record.message_id);
    if (message) whereIs(record.chat_id)?.changed(message);
  },
  house({ players }) { world.house = new Set(players); },
  clock({ now, rate }) {
    world.clock = { now, rate, at: performance.now() };
    $("fast").setAttribute("aria-pressed", String(rate > 1));
  },
};

function setReaction({ chat_id, message_id, reaction }) {
  world.reactions.set(`${chat_id} ${message_id}`, reaction[0]?.emoji);
}

function whereIs(chatId) {
  return [groupChat, privateChat].find((where) => where.chat?.id === chatId);
}

// Many changes come together; list and headers are drawn once for all of them.
let listDue = false;
let chatsDue = false;

function refresh() {
  chatsDue = true;
}

function draw() {
  if (chatsDue) {
    // Headers and composers depend on memberships; what is being typed stays.
    const focused = document.activeElement?.closest(".chat")?.id;
    showChats();
    if (focused) $(focused).querySelector("textarea")?.focus();
  }
  if (listDue) showList();
  listDue = chatsDue = false;
}

function connect() {
  const events = new EventSource("/api/events");
  events.onopen = () => ($("offline").hidden = true);
  events.onerror = () => ($("offline").hidden = false);
  events.onmessage = ({ data }) => {
    const { kind, body } = JSON.parse(data);
    told[kind]?.(body);
    if (!listDue) requestAnimationFrame(draw);
    listDue = true;
  };
}

// Buttons of the page itself

function dress() {
  document.documentElement.lang = chinese ? "zh" : "en";
  $("fill").textContent = words.fill;
  $("count").setAttribute("aria-label", words.count);
  $("fast").textContent = words.fast;
  $("newcomer").textContent = `+ ${words.newcomer}`;
  $("offline").textContent = words.offline;
  $("alert").querySelector("button").textContent = words.ok;
  const [cancel, ok] = $("ask").querySelectorAll("button");
  [cancel.textContent, ok.textContent] = [words.cancel, words.ok];
  $("ask").querySelector("label").textContent = words.name;
  for (const button of $("tabs").children) {
    button.textContent = words[button.dataset.tab];
    button.onclick = () => desk.tab(button.dataset.tab);
  }
  $("fill").onclick = async () => {
    if (await desk.act("fill", { chat: groupId, n: Number($("count").value) || 1, language })) desk.tab("group");
  };
  $("fast").onclick = () => desk.act("fast", { on: world.clock.rate <= 1 });
  $("newcomer").onclick = () => {
    $("name").value = "";
    $("ask").returnValue = "";
    $("ask").showModal();
  };
  $("ask").onclose = async () => {
    const name = $("name").value.trim();
    if ($("ask").returnValue !== "ok" || !name) return;
    const made = await desk.act("member", { name, chat: groupId, language });
    if (made) desk.actAs(made.user);
  };
  $("name").onkeydown = (event) => {
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      $("ask").close("ok");
    }
  };
  document.addEventListener("visibilitychange", () => [groupChat, privateChat].forEach((where) => desk.seen(where)));
  const seconds = new Intl.DateTimeFormat(navigator.language, { timeStyle: "medium", hour12: false });
  setInterval(() => {
    tick(world.now());
    $("clock").textContent = world.clock.now ? seconds.format(new Date(world.now() * 1000)) : "";
  }, 100);
}

dress();
desk.tab("group");
connect();
