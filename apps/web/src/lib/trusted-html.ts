/** Missing in some browsers. A policy returns a `TrustedHTML` object, which is accepted wherever HTML is. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string | null },
  ): { createHTML(html: string): string }
}

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes }

/** Cleans HTML; there once the code that shows rich text is loaded. */
let clean: ((html: string) => string) | undefined

/** What makes HTML with elements in it fit for a page. */
export const cleanHtmlBy = (by: (html: string) => string): void => void (clean = by)

/**
 * Where the browser enforces Trusted Types, every text that any library is about to make HTML of comes through here. Style
 * sheets and the like, in which no element begins, pass as they are; anything else is cleaned like rich text, or refused
 * while nothing can clean it.
 */
export function guardHtml(): void {
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => (beginsElement.test(html) ? (clean?.(html) ?? null) : html),
  })
}

const beginsElement = /<[a-z!/?]/i

/** Makes a document in which nothing loads or runs. What is taken from it has to be cleaned. */
export function parseApart(html: string): Document {
  apart ??= trustedTypes?.createPolicy('apart', { createHTML: (given) => given })
  return new DOMParser().parseFromString(apart?.createHTML(html) ?? html, 'text/html')
}
let apart: { createHTML(html: string): string } | undefined
