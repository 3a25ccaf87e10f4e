import type { Plugin } from 'vite'

/** What endpoints declare for the server alone: a sentence for the API document, and which tokens may call them. */
const serverFacts = /^ {4}(?:summary|byToken):\s*(?:'(?:[^'\\\n]|\\.)*'|`[^`$]*`|"[^"\n]*"),$/gm

/** Leaves out of the browser's contract what it has no use for. Replaced by spaces, so that source maps stay right. */
export const withoutServerFacts = (): Plugin => ({
  name: 'without-server-facts',
  // Before the types are removed, which would move the lines.
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: /\/packages\/contract\/src\// },
    handler: (code) => ({
      code: code.replaceAll(serverFacts, (fact) => fact.replaceAll(/[^\n]/g, ' ')),
      map: null,
    }),
  },
})
