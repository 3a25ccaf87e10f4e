import { MAX_RICH_TEXT, RICH_TEXT_RENAMED } from '@tallyroom/domain/rich-text'
import { toUrl } from '@tallyroom/domain/url-text'
import { parseApart } from '../../lib/trusted-html.ts'
import { cleanRichText } from './clean.ts'

/** In characters. Parsing more would freeze the browser. About five Word documents of 1000 pages each. */
const MAX_PASTED = 20_000_000

export interface Pasted {
  html: string
  /** A sentence about what was left out, and why. */
  problem?: string
}

/**
 * Turns pasted HTML into allowed HTML: converts Word's lists, drops its styles, and leaves out pictures from other
 * sites.
 */
export function cleanPasted(given: string): Pasted {
  if (given.length > MAX_PASTED) return { html: '', problem: tooLong(given.length) }
  const { body } = parseApart(given)
  rename(body)
  makeWordLists(body)
  const pictures = leaveOutForeignPictures(body)
  const html = cleanRichText(body.innerHTML)
  if (html.length > MAX_RICH_TEXT) return { html: '', problem: tooLong(html.length) }
  return pictures > 0 && html !== '' ? { html, problem: leftOut(pictures) } : { html }
}

const tooLong = (length: number) =>
  `The pasted text is too long: it has ${count(length)} characters, and the limit is ${count(MAX_RICH_TEXT)}. Paste less text.`

const leftOut = (pictures: number) =>
  `${pictures === 1 ? 'One picture was' : `${pictures} pictures were`} left out. To add a picture, save it as a file and use Add pictures.`

const count = (number: number) => number.toLocaleString('en-US')

function rename(body: HTMLElement) {
  for (const [from, to] of Object.entries(RICH_TEXT_RENAMED)) {
    for (const element of body.querySelectorAll(from)) {
      const renamed = element.ownerDocument.createElement(to)
      for (const { name, value } of element.attributes) renamed.setAttribute(name, value)
      renamed.append(...element.childNodes)
      element.replaceWith(renamed)
    }
  }
}

/** Word writes list items as paragraphs that start with a bullet or number, with the level in an `mso-list` style. */
function makeWordLists(body: HTMLElement) {
  let lists: HTMLElement[] = []
  for (const paragraph of body.querySelectorAll<HTMLElement>('[style*="mso-list"]')) {
    const level = Number(/level(\d)/.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0)
    if (level === 0 || !/^(p|h[2-4])$/i.test(paragraph.tagName)) continue
    const isNumbered = /^\s*\(?[\da-z]{1,4}[.)]/i.test(paragraph.textContent)
    takeMarkerAway(paragraph)

    const continues = lists[0] !== undefined && paragraph.previousElementSibling === lists[0]
    if (!continues) lists = []
    lists.length = Math.min(lists.length, level)
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(isNumbered ? 'ol' : 'ul')
      const above = lists.at(-1)
      if (!above) paragraph.before(list)
      else
        (
          above.lastElementChild ?? above.appendChild(body.ownerDocument.createElement('li'))
        ).append(list)
      lists.push(list)
    }
    const item = body.ownerDocument.createElement('li')
    item.append(...paragraph.childNodes)
    lists.at(-1)?.append(item)
    paragraph.remove()
  }
}

/** Removes the bullet or number that Word adds for programs without list support. */
function takeMarkerAway(paragraph: HTMLElement) {
  for (const marker of paragraph.querySelectorAll('[style*="mso-list"]')) marker.remove()
}

/** Returns the number of removed pictures. Pictures copied from this site stay, with a relative URL. */
function leaveOutForeignPictures(body: HTMLElement): number {
  let leftOutCount = 0
  for (const picture of body.querySelectorAll('img')) {
    const url = toUrl(picture.getAttribute('src') ?? '', window.location.href)
    if (url?.origin === window.location.origin) picture.setAttribute('src', url.pathname)
    else {
      picture.remove()
      leftOutCount += 1
    }
  }
  return leftOutCount
}
