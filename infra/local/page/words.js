// The page's own words. The bot's words come from the bot.

const TABLE = {
  zh: {
    as: "我是", group: "群", people: "成员", private: "私聊", members: (n) => `${n} 位成员`, bot: "机器人",
    fill: "让托管玩家入座", count: "人数", fast: "快进 10×", newcomer: "新成员", name: "名字", ok: "好", cancel: "取消",
    write: "消息，或用 / 看命令", send: "发送", start: "开始", unblock: "解除屏蔽", joinGroup: "加入本群", edited: "已编辑",
    house: "托管", houseOf: (name) => `托管 ${name}`, you: "我", typing: "正在输入……", commands: "命令", reply: "回复", more: "更多",
    leave: "离开本群", removeBot: "移出机器人", addBot: "加入机器人", migrate: "升级为超级群", block: "屏蔽机器人",
    privateOf: (who) => [who, " 的私聊"],
    joined: (who) => [who, " 加入了群"], left: (who) => [who, " 离开了群"], pinned: (who) => [who, " 置顶了一条消息"],
    upgraded: "本群已升级为超级群", message: "消息", nothing: "还没有消息", blocked: "已屏蔽",
    closed: "还没有和机器人说过话", offline: "连接断开，正在重连……", late: "机器人没有回应", newest: "最新消息",
    refusals: {
      "nobody has opened a game here": "这里还没有人开局。先开一局，再请托管玩家入座。",
      "a message has 1 to 4096 characters": "一条消息最多 4096 个字符。",
      "you are not in this group": "你不在这个群里。",
    },
    remaining: (t) => `还有 ${t}`, over: "时间到", s: (n) => `${n} 秒`, ms: (m, s) => `${m} 分 ${String(s).padStart(2, "0")} 秒`,
  },
  en: {
    as: "I am", group: "Group", people: "People", private: "Private", members: (n) => `${n} members`, bot: "bot",
    fill: "Fill with house players", count: "how many", fast: "Fast 10×", newcomer: "New member", name: "Name", ok: "OK", cancel: "Cancel",
    write: "Message, or / for commands", send: "Send", start: "Start", unblock: "Unblock", joinGroup: "Join the group", edited: "edited",
    house: "house", houseOf: (name) => `the house plays for ${name}`, you: "me", typing: "typing…", commands: "Commands", reply: "Reply", more: "More",
    leave: "Leave the group", removeBot: "Remove the bot", addBot: "Add the bot", migrate: "Upgrade to supergroup", block: "Block the bot",
    privateOf: (who) => ["private chat of ", who],
    joined: (who) => [who, " joined the group"], left: (who) => [who, " left the group"], pinned: (who) => [who, " pinned a message"],
    upgraded: "This group became a supergroup", message: "Message", nothing: "No messages yet", blocked: "blocked",
    closed: "has not talked to the bot yet", offline: "Connection lost, trying again…", late: "The bot did not answer", newest: "Newest message",
    refusals: {},
    remaining: (t) => `${t} left`, over: "time is up", s: (n) => `${n} s`, ms: (m, s) => `${m} min ${String(s).padStart(2, "0")} s`,
  },
};

export const chinese = navigator.language.toLowerCase().startsWith("zh");

/** The language_code that Telegram's own clients would send for this browser. */
export const language = chinese ? (/tw|hk|mo|hant/i.test(navigator.language) ? "zh-hant" : "zh-hans") : navigator.language.slice(0, 2);
export const words = chinese ? TABLE.zh : TABLE.en;

/** "还有 42 秒": the time from `now` to `unix`, both epoch seconds. */
export function countdown(unix, now) {
  const left = Math.ceil(unix - now);
  if (left <= 0) return words.over;
  return words.remaining(left < 60 ? words.s(left) : words.ms(Math.floor(left / 60), left % 60));
}

const hourAndMinute = new Intl.DateTimeFormat(navigator.language, { hour: "2-digit", minute: "2-digit", hour12: false });

export function clockTime(unix) {
  return hourAndMinute.format(new Date(unix * 1000));
}

/** A moment in Telegram's format letters: w weekday, d/D date, t/T time. */
export function moment(unix, format) {
  const options = {};
  if (format.includes("w")) options.weekday = "long";
  if (/d/i.test(format)) options.dateStyle = format.includes("D") ? "long" : "short";
  if (/t/i.test(format)) options.timeStyle = format.includes("T") ? "medium" : "short";
  if (options.weekday && (options.dateStyle || options.timeStyle)) delete options.weekday;
  return new Intl.DateTimeFormat(navigator.language, options).format(new Date(unix * 1000));
}
