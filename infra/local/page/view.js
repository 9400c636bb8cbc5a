// Turns messages into DOM nodes. Names and texts are hostile: they become text nodes, never markup.

import { clockTime, countdown, moment, words } from "./words.js";

/** h("button", {class: "x", onclick: f}, "text", node …) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const segmenter = new Intl.Segmenter();

export function nameOf(user) {
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ").trim();
  return name || "—";
}

/** A name keeps its own direction of writing to itself. */
export function nameNode(user) {
  return h("bdi", { class: "name", "data-hue": hue(user.id) }, nameOf(user));
}

export function avatar(user) {
  const initial = [...segmenter.segment(nameOf(user))][0].segment;
  return h("span", { class: "avatar", "data-hue": user.is_bot ? "bot" : hue(user.id), "aria-hidden": "true" }, user.is_bot ? "" : initial);
}

function hue(id) {
  return String(Math.abs(id) % 8);
}

const WRAPPERS = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code", pre: "pre",
  blockquote: "blockquote", expandable_blockquote: "blockquote",
};

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);

/** The text of a message with its entities; offsets count UTF-16 units, as JavaScript does. */
export function textNodes(text, entities, acts) {
  return span(text, 0, text.length, entities ?? [], acts);
}

function span(text, begin, end, entities, acts) {
  const nodes = [];
  let at = begin;
  for (let i = 0; i < entities.length; i++) {
    const entity = entities[i];
    const stop = Math.min(entity.offset + entity.length, end);
    if (entity.offset < at) continue;
    if (entity.offset > at) nodes.push(text.slice(at, entity.offset));
    const inner = entities.slice(i + 1).filter((other) => other.offset < stop);
    nodes.push(wrap(entity, text.slice(entity.offset, stop), span(text, entity.offset, stop, inner, acts), acts));
    at = stop;
    // A block ends its line itself; the line break after it would show as an empty line.
    if (BLOCKS.has(entity.type) && text[at] === "\n") at += 1;
  }
  if (at < end) nodes.push(text.slice(at, end));
  return nodes;
}

function wrap(entity, plain, inner, acts) {
  switch (entity.type) {
    case "text_mention":
      return h("span", { class: entity.user.id === acts.me ? "mention me" : "mention" }, inner);
    case "mention":
      return h("span", { class: "mention" }, inner);
    case "bot_command":
      return h("button", { class: "link", onclick: () => acts.command(plain) }, inner);
    case "text_link":
    case "url":
      return link(entity.url ?? plain, inner, acts);
    case "spoiler":
      return h("span", { class: "spoiler", tabindex: "0", role: "button", onclick: reveal, onkeydown: reveal }, inner);
    case "date_time":
      return runningTime(entity, plain);
    default:
      return WRAPPERS[entity.type] ? h(WRAPPERS[entity.type], {}, inner) : h("span", {}, inner);
  }
}

function reveal(event) {
  if (event.type === "click" || event.key === "Enter" || event.key === " ") event.currentTarget.classList.add("seen");
}

function link(url, inner, acts) {
  const safe = /^(https?|tg):/i.test(url) ? url : null;
  if (safe === null) return h("span", {}, inner);
  const follow = (event) => {
    event.preventDefault();
    acts.follow(safe);
  };
  return h("a", { href: safe, rel: "noopener noreferrer", target: "_blank", onclick: follow }, inner);
}

function runningTime(entity, plain) {
  if (!entity.date_time_format) return h("time", {}, plain);
  if (entity.date_time_format !== "r") return h("time", {}, moment(entity.unix_time, entity.date_time_format));
  return h("time", { class: "running", "data-unix": entity.unix_time }, plain);
}

/** Let every running clock show the present, `now` in epoch seconds. */
export function tick(now) {
  for (const clock of document.querySelectorAll("time.running")) {
    const left = clock.dataset.unix - now;
    const shown = countdown(clock.dataset.unix, now);
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.classList.toggle("soon", left > 0 && left <= 10);
    clock.classList.toggle("over", left <= 0);
  }
}

/** A service message ("A joined") or null. */
export function serviceNodes(message) {
  if (message.new_chat_members) return words.joined(nameNode(message.new_chat_members[0]));
  if (message.left_chat_member) return words.left(nameNode(message.left_chat_member));
  if (message.pinned_message) return words.pinned(nameNode(message.from));
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return [words.upgraded];
  return null;
}

/** One line for the list of chats. */
export function lastLine(message) {
  if (!message) return words.nothing;
  const service = serviceNodes(message);
  if (service) return service.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  return (message.text ?? words.message).replace(/\s+/g, " ");
}

/** A whole message: bubble, keyboard, reaction. `pending(data)` tells which buttons wait for an answer. */
export function messageNode(message, { acts, inGroup, pending, reaction }) {
  const service = serviceNodes(message);
  if (service) return h("div", { class: "service", "data-id": message.message_id }, h("span", {}, service));
  const own = message.from.id === acts.me;
  const keyboard = message.reply_markup?.inline_keyboard;
  const bubble = h(
    "div",
    { class: "bubble" },
    inGroup && !own && h("div", { class: "sender" }, nameNode(message.from), message.from.is_bot && h("span", { class: "tag" }, words.bot)),
    message.reply_to_message && quote(message.reply_to_message),
    h("div", { class: "text" }, textNodes(message.text ?? "", message.entities, acts), meta(message)),
    reaction && h("span", { class: "reaction" }, reaction),
  );
  const replyButton = h("button", { class: "reply", title: words.reply, "aria-label": words.reply, onclick: () => acts.reply(message) }, "↩");
  return h(
    "article",
    {
      class: ["message", own ? "own" : "other", message.has_protected_content && "protected", keyboard && "keyed"].filter(Boolean).join(" "),
      "data-id": message.message_id,
      "data-from": message.from.id,
    },
    inGroup && !own && avatar(message.from),
    h("div", { class: "body" }, bubble, keyboard && keyboardNode(message, keyboard, acts, pending)),
    replyButton,
  );
}

function meta(message) {
  const edited = message.edit_date ? `${words.edited} ` : "";
  return h("span", { class: "meta" }, edited + clockTime(message.date));
}

function quote(message) {
  return h("div", { class: "quote" }, nameNode(message.from), h("div", {}, lastLine(message)));
}

function keyboardNode(message, rows, acts, pending) {
  return h(
    "div",
    { class: "keyboard" },
    rows.map((row) =>
      h(
        "div",
        { class: "row" },
        row.map((button) =>
          h(
            "button",
            {
              class: pending(button.callback_data) ? "key waits" : "key",
              "data-style": button.style,
              disabled: Boolean(button.disabled),
              onclick: () => pressed(message, button, acts),
            },
            h("span", {}, button.text),
            button.url && h("i", { "aria-hidden": "true" }, "↗"),
          ),
        ),
      ),
    ),
  );
}

function pressed(message, button, acts) {
  if (button.callback_data !== undefined) acts.press(message, button.callback_data);
  else if (button.url) acts.follow(button.url);
  else if (button.copy_text) navigator.clipboard?.writeText(button.copy_text.text);
}
