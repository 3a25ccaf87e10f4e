import { MAX_RICH_TEXT, RICH_TEXT_RENAMED } from '@tallyroom/domain/rich-text'
import { parseApart } from '../../lib/trusted-html.ts'
import { cleanRichText } from './clean.ts'

/** More than this is not even looked at: the browser would stand still. About five Word documents of 1000 pages. */
const MAX_PASTED = 20_000_000

export interface Pasted {
  html: string
  /** What was left out, and why, in a sentence. */
  problem?: string
}

/**
 * What comes in from elsewhere, made into what a text may hold: Word's lists become lists, its thousands of
 * styles go, pictures of other places are left out.
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
  `What you pasted is too long: ${count(length)} characters, of which ${count(MAX_RICH_TEXT)} would fit. Paste it in parts.`

const leftOut = (pictures: number) =>
  `${pictures === 1 ? 'One picture was' : `${pictures} pictures were`} left out. Save it as a file and add it by the button with the picture.`

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

/** Word writes lists as paragraphs with a bullet or number in front, and the level in a style of its own. */
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

/** The bullet or number that Word writes for programs without lists. */
function takeMarkerAway(paragraph: HTMLElement) {
  for (const marker of paragraph.querySelectorAll('[style*="mso-list"]')) marker.remove()
}

/** How many there were. Ours that were copied from a page of ours stay, by their path. */
function leaveOutForeignPictures(body: HTMLElement): number {
  let leftOutCount = 0
  for (const picture of body.querySelectorAll('img')) {
    const url = URL.parse(picture.getAttribute('src') ?? '', window.location.href)
    if (url?.origin === window.location.origin) picture.setAttribute('src', url.pathname)
    else {
      picture.remove()
      leftOutCount += 1
    }
  }
  return leftOutCount
}
