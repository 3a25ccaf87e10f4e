import { createIsbotFromList, list } from 'isbot'

/** Programs that people drive themselves, to try a link out or to browse without a window. */
const DRIVEN_BY_PEOPLE = /^curl\/|headless/i

/** Internet Explorer with Google's engine in it: a browser of people. */
const PATTERNS = list.filter((pattern) => pattern !== 'chromeframe')
const isBot = createIsbotFromList(PATTERNS)

/** Phones of before the smartphone, whose names are as short as those of programs. */
const OLD_PHONE = /\b(?:midp|cldc|maui|wap[-_ ]?browser|up\.browser|brew)\b|_wap_/i
/** The patterns that know a crawler by its name rather than by the shape of the text. */
const isNamedBot = createIsbotFromList(PATTERNS.filter((pattern) => !pattern.startsWith('^[')))

/** The list is a pattern of 200 parts: too slow to ask for each click, and browsers are few. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 5_000

/** Whether a user agent is a known crawler's, whose visits are no clicks. */
export function isCrawler(userAgent: string | undefined): boolean {
  if (!userAgent) return false
  let answer = known.get(userAgent)
  if (answer === undefined) {
    answer = isCrawlersName(userAgent)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(userAgent, answer)
  }
  return answer
}

function isCrawlersName(userAgent: string): boolean {
  if (DRIVEN_BY_PEOPLE.test(userAgent)) return false
  return OLD_PHONE.test(userAgent) ? isNamedBot(userAgent) : isBot(userAgent)
}
