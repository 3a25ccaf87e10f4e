import { barePolicy } from '../../http/secure-headers.ts'
/** The pages that visitors see if they cannot be redirected: self-contained, without scripts. */
export type Page = { status: number; html: string }

const TITLE_OF_UNKNOWN = 'This link leads nowhere'

export const unknownPage = page(
  404,
  TITLE_OF_UNKNOWN,
  'There is no such link. Please check that the address is complete.',
)

/** Whether an answer is what visitors of an unknown link get from us, even if a proxy has added to it. */
export const isOurPage = (status: number, html: string): boolean =>
  status === unknownPage.status && html.includes(TITLE_OF_UNKNOWN)

export const inactivePage = page(
  410,
  'This link is no longer active',
  'The offer is no longer available.',
)

export const tooLongPage = page(414, 'This link is too long', 'Please check the address.')

export const notNowPage = page(
  503,
  'Please try again in a moment',
  'The link is fine, but we can’t redirect you right now.',
)

/** For the header `content-security-policy`: only the page's own style. */
export const PAGE_POLICY = barePolicy("style-src 'unsafe-inline'")

function page(status: number, title: string, sentence: string): Page {
  return {
    status,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.6 system-ui, sans-serif }
main { padding: 2rem; max-width: 30rem; text-align: center }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.3 }
p { margin: 0; opacity: .8 }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`,
  }
}
