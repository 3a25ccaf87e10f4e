/** Missing in some browsers. A policy returns a `TrustedHTML` object, which every HTML sink accepts. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: {
      createHTML(html: string): string | null
      createScriptURL?(url: string): string | null
    },
  ): { createHTML(html: string): string }
}

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes }

/** Sanitizes HTML. Set once the code that renders rich text has loaded. */
let clean: ((html: string) => string) | undefined

/** Registers the sanitizer. */
export const cleanHtmlBy = (by: (html: string) => string): void => void (clean = by)

/**
 * Installs the default Trusted Types policy, through which the browser passes all HTML that code assigns to the page.
 * Text without tags, such as a style sheet, passes unchanged. Everything else is sanitized like rich text, or refused
 * until the sanitizer has loaded. Of scripts, only the service worker passes.
 */
export function guardHtml(): void {
  trustedTypes?.createPolicy('default', {
    createHTML: (html) => (beginsElement.test(html) ? (clean?.(html) ?? null) : html),
    // The only script that code loads by URL.
    createScriptURL: (url) => (url === WORKER ? url : null),
  })
}

/** The service worker (apps/api/src/http/installation.ts). */
export const WORKER = '/sw.js'

const beginsElement = /<[a-z!/?]/i

/** Parses HTML into a detached document, in which nothing loads or runs. Sanitize whatever you take from it. */
export function parseApart(html: string): Document {
  apart ??= trustedTypes?.createPolicy('apart', { createHTML: (given) => given })
  return new DOMParser().parseFromString(apart?.createHTML(html) ?? html, 'text/html')
}
let apart: { createHTML(html: string): string } | undefined
