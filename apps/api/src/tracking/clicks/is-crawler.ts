import { createIsbotFromList, list } from 'isbot'

/** Programs that people use to test a link or to browse headless. */
const DRIVEN_BY_PEOPLE = /^curl\/|headless/i

/** Internet Explorer with Google's engine: used by people. */
const PATTERNS = list.filter((pattern) => pattern !== 'chromeframe')
const isBot = createIsbotFromList(PATTERNS)

/** Phones, tablets, computers, television sets, consoles, and the systems that only they have. */
const DEVICE = new RegExp(
  [
    String.raw`android|iphone|\bip[ao]d|\biph\d|apple-?tv|watchos|macintosh|macbook|darwin/|cfnetwork`,
    String.raw`windows (?:nt|phone|xp|2000)|cros |x11|risc os|palmos|maemo|tizen|bada/|web0?os|web0s`,
    String.raw`symbian|series ?60|blackberry|nokia|samsung-|\bspice |playstation|nintendo|xbox`,
    String.raw`smart-?tv|googletv|hbbtv|nettv|netrange|smarthub|roku|crkey|\baft[a-z]|sagemcom|wire(?:d|less)\)`,
    String.raw`linux (?:arm|mips|\d)|fban/|msie \d|opera/9|ucbrowser|\(ios\)`,
    // Feature phones, whose user agents are as short as those of programs.
    String.raw`midp|cldc|maui|wap[-_ ]?browser|up\.browser|brew\b|_wap_`,
  ].join('|'),
  'i',
)

/**
 * Names of phones and makers, and an app's own processes, which say nothing about who uses it:
 * `Android 13; Spider 8)`, `Android 7.0; M bot 60 Build/…`, WeChat's `Process/toolsmp`.
 */
const NAMES =
  /(?<=android[ /][\d.]+;(?: ?[a-z]{2}[-_][a-z]{2};)?) ?[^;()]*?(?= build\/|[;)])|\bprocess\/tools\w*|\bfbmf\/google|\bbuild\/cubot/gi

/** Patterns that people's devices, apps and browsers match too. */
const WEAK = new Set([
  ...'tools discovery capture proxy catch radar server download url sogou torrent'.split(' '),
  ...'24x7 virtuoso firephp browsex offbyone ^amaya ^reed ^downcast/ ^whatsapp'.split(' '),
  ...String.raw`java(?!;) \.com\b agent\b \| \(\) \b\w+/1\.0; ;\s\w+;$ ^\d+\b`.split(' '),
  '(?<!lib)http',
  '(?:^|[^g])news(?!sapphire)',
  '(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))',
])

/** The parts of the weak patterns that do mean a program. */
const IN_THEIR_PLACE = [
  String.raw`https?://|www\.\S+\)$|\(via |\+\w+\.\w+\)?$|by \S+\.com$|\w+\.com/policy`,
  String.raw`google[-_ ](?!tv|app|pixel|fiber|nexus|wap|earth|ios|cube)[a-z]|google(?:image|adsense|bot)|web-google/`,
  String.raw`sogou.{0,10}spider|(?:^|[ -])agent\)|[a-z]agent$|; ?compatible;? `,
  'newsblur|newsgator|assetnote|catchpoint|fontradar',
  // Looks at links in messages, like a browser. Whoever opens one does so in a browser.
  'googlemessages/',
]

/** Patterns for the form of a user agent rather than for a crawler's name. */
const isForm = (pattern: string): boolean => /^\^(?:\[|\\w)/.test(pattern)

const isNamedBot = createIsbotFromList([
  ...PATTERNS.filter((pattern) => !WEAK.has(pattern) && !isForm(pattern)),
  ...IN_THEIR_PLACE,
])

/** Cached, because the list is a pattern of 200 parts, too slow for every click, and there are few user agents. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 5_000

/** Longer ones are judged by their beginning, so that nobody fills the cache or the processor with them. */
const LONGEST_JUDGED = 1_000

/** Whether the user agent is a known crawler, whose visits are not clicks. */
export function isCrawler(given: string | undefined): boolean {
  if (!given) return false
  const userAgent = given.length > LONGEST_JUDGED ? given.slice(0, LONGEST_JUDGED) : given
  let answer = known.get(userAgent)
  if (answer === undefined) {
    answer = isCrawlersName(userAgent)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(userAgent, answer)
  }
  return answer
}

/** An agent that otherwise looks like a device needs a stronger sign than a word that devices and apps also have. */
function isCrawlersName(userAgent: string): boolean {
  if (DRIVEN_BY_PEOPLE.test(userAgent)) return false
  return DEVICE.test(userAgent) ? isNamedBot(userAgent.replaceAll(NAMES, '')) : isBot(userAgent)
}
