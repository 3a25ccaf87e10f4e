import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { FIRST_PAGES } from './first-pages.ts'

/** How many bytes of JavaScript, by gzip, a browser should have to load at most before it shows each of these pages. */
const MOST_JS = { '/offices/OfficesPage.tsx': 318_000, '/statistics/StatsPage.tsx': 315_000 }
const MOST_CSS = 40_000
/** Of the most, from which on the build warns. */
const NEAR = 0.95

/** Only pages that use them load them. */
const apart =
  /\/node_modules\/(echarts|zrender|@tiptap|prosemirror-[a-z]+|qrcode|@simplewebauthn|dompurify|dayjs)\//

/** The code that places floating elements weighs a quarter of the frame. These pages are drawn before any of it arrives. */
const DRAWN_FIRST = [...FIRST_PAGES['/app/home'], ...FIRST_PAGES['/login']]
const floating = /\/node_modules\/@floating-ui\//

/**
 * Prints what entry and page weigh together, as a warning when it is near too much. The build fails when they bring along what is
 * apart: that can be mended at once, and is what makes a page heavy.
 */
export const bundleBudget = (): Plugin => ({
  name: 'bundle-budget',
  apply: 'build',
  generateBundle(_, bundle) {
    const files = Object.values(bundle)
    const chunks = files.filter((file) => file.type === 'chunk')
    const entries = chunks.filter(({ isEntry }) => isEntry)
    for (const page of DRAWN_FIRST) {
      const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(page)))
      const loaded = withImports(chunks, [...entries, ...own])
      const stray = loaded.find(({ moduleIds }) => moduleIds.some((id) => floating.test(id)))
      if (stray || own.length === 0)
        this.error(`${page} brings along ${stray?.fileName ?? 'nothing'}`)
    }
    for (const [page, most] of Object.entries(MOST_JS)) {
      const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(page))
      if (!own) return this.error(`${page} has no chunk of its own: nothing to weigh`)
      const loaded = withImports(chunks, [...entries, own])
      const strays = loaded.flatMap(({ moduleIds }) => moduleIds.filter((id) => apart.test(id)))
      if (strays.length > 0) this.error(`${page} brings along ${strays.join(', ')}`)
      const sheets = new Set(
        loaded.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
      )
      const js = weightOf(loaded.map(({ code }) => code))
      const css = weightOf(
        files.flatMap((file) =>
          file.type === 'asset' && sheets.has(file.fileName) ? [file.source] : [],
        ),
      )
      const line = `${page}: ${js} bytes of JavaScript (most ${most}), ${css} of CSS (most ${MOST_CSS}), gzip, ${loaded.length} files`
      if (Math.max(js / most, css / MOST_CSS) > NEAR) this.warn(line)
      else process.stdout.write(`${line}\n`)
    }
  },
})

/** The chunks with all that they import at once. */
export function withImports(
  all: readonly Rolldown.OutputChunk[],
  first: readonly Rolldown.OutputChunk[],
) {
  const found = new Set(first)
  // A set grows while it is walked.
  for (const { imports } of found)
    for (const chunk of all) if (imports.includes(chunk.fileName)) found.add(chunk)
  return [...found]
}

const weightOf = (sources: readonly (string | Uint8Array)[]) =>
  sources.reduce((total, source) => total + gzipSync(source).length, 0)
