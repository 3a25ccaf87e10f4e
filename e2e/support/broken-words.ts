import type { Page } from '@playwright/test'

/**
 * Finds ordinary words and days that break across two lines, such as `Bonus|es` in a narrow cell
 * and `2026-|09-14`. URLs, ids and longer names may break anywhere.
 */
export const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = []
    const range = document.createRange()
    const lines = () => [...range.getClientRects()].filter(({ width }) => width > 0)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      range.selectNodeContents(node)
      // Most texts fit on one line. One that is a pixel wide is for screen readers.
      if (!parent || lines().length < 2 || parent.clientWidth === 1) continue
      const text = node.nodeValue ?? ''
      // Delimited by spaces: `\S+` alone would also find the words of a URL.
      for (const { 0: token, index } of text.matchAll(/\S+/g)) {
        if (!/^[“("‘]*([\p{L}’-]+|\d{4}-\d\d-\d\d)[”)"’.,:;!?…]*$/u.test(token)) continue
        for (const { 0: word, index: at } of token.matchAll(
          /\d{4}-\d\d-\d\d|(?<![\p{L}’])[\p{L}’]{2,20}(?![\p{L}’])/gu,
        )) {
          range.setStart(node, index + at)
          range.setEnd(node, index + at + word.length)
          const [first, ...others] = lines()
          if (first && others.some(({ top }) => top > first.bottom - 2))
            faults.push(
              `${word} in ${parent.tagName}.${parent.className}: ${text.trim().slice(0, 60)}`,
            )
        }
      }
    }
    return faults
  })
