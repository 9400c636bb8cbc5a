// One open chat: header, messages, composer. The group and a private chat are the same thing to it.

import { avatar, h, lastLine, messageNode, nameNode, nameOf, serviceNodes } from "./view.js";
import { words } from "./words.js";

const GAP = 300; // messages of one sender within so many seconds stand together
const NEAR = 80; // pixels from the bottom that still count as reading the newest

export class Chat {
  /** `root` is the element to fill, `world` the state of the page, `desk` what its person can do. */
  constructor(root, world, desk, inGroup) {
    Object.assign(this, { root, world, desk, inGroup, chat: null, me: 0, repliesTo: null, missed: 0, drafts: new Map() });
    this.head = h("header");
    this.log = h("div", { class: "log", role: "log", "aria-live": "polite", tabindex: "-1" });
    this.toasts = h("div", { class: "toasts", role: "status" });
    this.jump = h("button", { class: "jump", hidden: true, "aria-label": words.newest, onclick: () => this.toBottom() }, h("b"), "↓");
    this.foot = h("footer");
    this.stage = h("div", { class: "stage" }, this.log, h("p", { class: "silence" }, words.nothing), this.toasts, this.jump);
    root.append(this.head, this.stage, this.foot);
    this.log.addEventListener("scroll", () => this.atBottom() && this.noticed());
  }

  /** Show a chat as `me`; what was written and not sent stays with the pair. */
  open(chat, me) {
    if (this.box) this.drafts.set(this.key, this.box.value);
    const other = this.chat?.id !== chat?.id;
    this.chat = chat;
    this.me = me;
    this.key = `${chat?.id} ${me}`;
    this.repliesTo = null;
    this.acts = {
      me,
      press: (message, data) => this.desk.press(me, message, data, this),
      follow: (url) => this.desk.follow(me, url),
      command: (text) => this.desk.say(me, this.chat, text, null, this),
      reply: (message) => this.reply(message),
    };
    const place = this.log.scrollTop;
    this.renderAll();
    this.renderFoot();
    if (other) this.toBottom();
    else this.log.scrollTop = place;
  }

  messages() {
    return this.chat ? this.world.history(this.chat) : [];
  }

  renderAll() {
    this.renderHead();
    this.log.replaceChildren(...this.messages().map((message) => this.node(message)));
    this.stage.toggleAttribute("data-silent", this.log.children.length === 0);
    this.regroup();
  }

  renderHead() {
    const chat = this.chat;
    if (!chat) return;
    const { bot } = this.world;
    const title = this.inGroup ? h("bdi", {}, chat.title) : nameNode(bot);
    const owner = this.world.users.get(this.me);
    const about = this.inGroup ? words.members(this.world.present(chat).length) : words.privateOf(nameNode(owner));
    const subtitle = this.typing ? words.typing : about;
    this.head.replaceChildren(
      h("button", { class: "back", "aria-label": words.people, onclick: () => this.desk.tab("people") }, "‹"),
      this.inGroup ? avatar({ id: chat.id, first_name: chat.title }) : avatar(bot),
      h("div", { class: "title" }, h("h2", {}, title), h("small", { class: this.typing ? "typing" : "" }, subtitle)),
      this.actor(),
      this.menu(),
    );
  }

  actor() {
    const options = this.world.people().map((user) => h("option", { value: user.id, selected: user.id === this.me }, nameOf(user)));
    return h(
      "label",
      { class: "actor" },
      h("span", {}, words.as),
      h("select", { onchange: (event) => this.desk.actAs(Number(event.target.value)) }, options),
    );
  }

  menu() {
    const { chat, me, desk } = this;
    const hasBot = this.world.present(chat).includes(this.world.bot.id);
    const items = this.inGroup
      ? [
          this.inside() && [words.leave, () => desk.act("leave", { user: me, chat: chat.id })],
          this.inside() && [hasBot ? words.removeBot : words.addBot, () => desk.act("bot", { user: me, chat: chat.id, on: !hasBot })],
          chat.type === "group" && [words.migrate, () => desk.act("migrate", { chat: chat.id })],
        ]
      : [this.inside() && [words.block, () => desk.act("block", { user: me })]];
    const shown = items.filter(Boolean);
    const details = h(
      "details",
      { class: "menu", hidden: shown.length === 0, onfocusout: (event) => details.contains(event.relatedTarget) || (details.open = false) },
      h("summary", { "aria-label": words.more }, "⋮"),
      h("div", {}, shown.map(([label, run]) => h("button", { onclick: () => ((details.open = false), run()) }, label))),
    );
    return details;
  }

  inside() {
    const status = this.chat?.members?.[this.inGroup ? this.me : this.world.bot.id];
    return Boolean(status) && status !== "left" && status !== "kicked";
  }

  node(message) {
    return messageNode(message, {
      acts: this.acts,
      inGroup: this.inGroup,
      pending: (data) => this.desk.waits(this.me, message, data),
      reaction: this.world.reaction(message),
    });
  }

  /** A message came, changed or went. */
  changed(message, { gone = false, fresh = false } = {}) {
    const old = this.log.querySelector(`[data-id="${message.message_id}"]`);
    const stays = this.atBottom();
    if (gone) old?.remove();
    else if (old) {
      const node = this.node(message);
      if (fresh && !serviceNodes(message)) node.classList.add("touched");
      old.replaceWith(node);
    } else {
      const node = this.node(message);
      node.classList.add("arrived");
      this.log.append(node);
    }
    this.stage.removeAttribute("data-silent");
    this.regroup();
    if (stays || message.from?.id === this.me) this.toBottom();
    else if (!old && !gone) this.miss();
  }

  /** Messages of one sender, close in time, form a block: name above the first, picture beside the last. */
  regroup() {
    let before = null;
    for (const node of this.log.children) {
      const message = this.world.message(this.chat, node.dataset.id);
      const joins = before?.node.classList.contains("message") && node.classList.contains("message")
        && before.node.dataset.from === node.dataset.from && message && before.message && message.date - before.message.date < GAP;
      node.classList.toggle("first", !joins);
      node.classList.add("last");
      if (joins) before.node.classList.remove("last");
      before = { node, message };
    }
  }

  atBottom() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR;
  }

  toBottom() {
    this.log.scrollTop = this.log.scrollHeight;
    this.noticed();
  }

  miss() {
    this.missed += 1;
    this.jump.hidden = false;
    this.jump.firstChild.textContent = this.missed;
  }

  noticed() {
    this.missed = 0;
    this.jump.hidden = true;
    this.desk.seen(this);
  }

  toast(text) {
    const node = h("div", { class: "toast" }, text);
    this.toasts.replaceChildren(node);
    setTimeout(() => node.classList.add("fades"), 2600 + text.length * 45);
    node.addEventListener("animationend", (event) => event.animationName === "fade" && node.remove());
  }

  showTyping() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => ((this.typing = 0), this.renderHead()), 5000);
    this.renderHead();
  }

  // The composer

  renderFoot() {
    this.box = null;
    const gate = this.gate();
    if (gate) {
      this.foot.replaceChildren(h("button", { class: "gate strong", onclick: gate[1] }, gate[0]));
      return;
    }
    this.box = h("textarea", { rows: "1", placeholder: words.write, "aria-label": words.write, oninput: () => this.typed(), onkeydown: (event) => this.key_(event) });
    this.box.value = this.drafts.get(this.key) ?? "";
    this.suggestions = h("div", { class: "suggestions", hidden: true });
    this.quoted = h("div", { class: "replying", hidden: true });
    const slash = h("button", { class: "slash", "aria-label": words.commands, title: words.commands, onclick: () => this.slash() }, "/");
    const send = h("button", { class: "send", "aria-label": words.send, title: words.send, onclick: () => this.send() });
    this.foot.replaceChildren(this.suggestions, this.quoted, h("div", { class: "line" }, slash, this.box, send));
    this.typed();
  }

  gate() {
    const { me, desk, chat } = this;
    if (!chat) return [words.start, () => desk.act("start", { user: me })];
    if (this.inside()) return null;
    if (this.inGroup) return [words.joinGroup, () => desk.act("join", { user: me, chat: chat.id })];
    const blocked = chat.members?.[this.world.bot.id] === "kicked";
    return [blocked ? words.unblock : words.start, () => desk.act("start", { user: me })];
  }

  reply(message) {
    if (!this.box) return;
    this.repliesTo = message;
    this.quoted.hidden = false;
    this.quoted.replaceChildren(
      h("div", { class: "quote" }, nameNode(message.from), h("div", {}, lastLine(message))),
      h("button", { "aria-label": words.cancel, onclick: () => this.noReply() }, "×"),
    );
    this.box.focus();
  }

  noReply() {
    this.repliesTo = null;
    this.quoted.hidden = true;
  }

  slash() {
    this.box.value = this.box.value.startsWith("/") ? "" : "/";
    this.typed();
    this.box.focus();
  }

  async typed() {
    this.box.style.height = "auto";
    // A composer in a hidden tab has no height to measure.
    if (this.box.scrollHeight > 0) this.box.style.height = `${Math.min(this.box.scrollHeight, 140)}px`;
    const typed = this.box.value;
    if (!/^\/\w*$/.test(typed)) {
      this.suggestions.hidden = true;
      return;
    }
    const known = await this.desk.commands(this.chat, this.me);
    if (this.box?.value !== typed) return;
    const fitting = known.filter((command) => `/${command.command}`.startsWith(typed));
    this.suggestions.replaceChildren(
      ...fitting.map((command, i) =>
        h(
          "button",
          { class: i === 0 ? "chosen" : "", onclick: () => this.pick(command.command) },
          h("b", {}, `/${command.command}`),
          h("span", {}, command.description),
        ),
      ),
    );
    this.suggestions.hidden = fitting.length === 0;
  }

  pick(command) {
    this.box.value = "";
    this.suggestions.hidden = true;
    this.desk.say(this.me, this.chat, `/${command}`, null, this);
    this.box.focus();
  }

  key_(event) {
    if (event.isComposing) return;
    const open = !this.suggestions.hidden;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const all = [...this.suggestions.children];
      const at = all.findIndex((node) => node.classList.contains("chosen"));
      const next = (at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length;
      all.forEach((node, i) => node.classList.toggle("chosen", i === next));
      all[next].scrollIntoView({ block: "nearest" });
    } else if (open && (event.key === "Tab" || event.key === "Enter")) {
      event.preventDefault();
      this.suggestions.querySelector(".chosen").click();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      this.suggestions.hidden = true;
      this.noReply();
    }
  }

  send() {
    const text = this.box.value.trim();
    if (!text) return;
    this.desk.say(this.me, this.chat, text, this.repliesTo?.message_id ?? null, this);
    this.box.value = "";
    this.noReply();
    this.typed();
  }
}
