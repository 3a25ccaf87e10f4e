import { createIsbotFromList, list } from 'isbot'

/** Programs that people use to test a link or to browse headless. */
const DRIVEN_BY_PEOPLE = /^curl\/|headless/i

/** Internet Explorer with Google's engine: used by people. */
const PATTERNS = list.filter((pattern) => pattern !== 'chromeframe')
const isBot = createIsbotFromList(PATTERNS)

/** Feature phones, whose user agents are as short as those of programs. */
const OLD_PHONE = /\b(?:midp|cldc|maui|wap[-_ ]?browser|up\.browser|brew)\b|_wap_/i
/** The patterns that match a crawler by name rather than by the form of its user agent. */
const isNamedBot = createIsbotFromList(PATTERNS.filter((pattern) => !pattern.startsWith('^[')))

/** Cached, because the list is a pattern of 200 parts, too slow for every click, and there are few user agents. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 5_000

/** Whether the user agent is a known crawler, whose visits are not clicks. */
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
