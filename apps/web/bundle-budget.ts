import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

const kB = 1000

/** The frame waits for them: what stands above every page must stand there when the page does. */
const frame = ['/announcements/AlertBanner.tsx', '/announcements/load-alerts.ts']

/** The same for all of them. */
const mostCss = 40 * kB

/** What a browser must have loaded, by gzip, before the first thing is seen. */
const budgets = [
  { name: 'entry: frame, menu', pages: frame, js: 180 * kB },
  {
    name: 'entry and a list',
    pages: [...frame, '/offices/OfficesPage.tsx'],
    js: 240 * kB,
  },
  {
    name: 'entry and a list with dates',
    pages: [...frame, '/login-logs/LoginLogsPage.tsx'],
    js: 240 * kB,
  },
  {
    name: 'entry and the log of sales',
    pages: [...frame, '/sale-logs/SaleLogsPage.tsx'],
    js: 245 * kB,
  },
  {
    name: 'entry and a report',
    pages: [...frame, '/statistics/StatsPage.tsx'],
    js: 255 * kB,
  },
] as const

/** Never on the way to a page that does not use them. */
const apart =
  /\/node_modules\/(echarts|zrender|@tiptap|prosemirror-[a-z]+|qrcode|dompurify|dayjs)\//

/** Prints what the entry weighs, and fails the build when it is more than it may be. */
export const bundleBudget = (): Plugin => ({
  name: 'bundle-budget',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const { name, pages, js } of budgets) {
      const chunks = loadedWith(bundle, pages)
      const strays = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => apart.test(id)))
      if (strays.length > 0) this.error(`${name} brings along ${strays.join(', ')}`)
      const sheets = new Set(
        chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]),
      )
      const weights = {
        js: sum(chunks.map(({ code }) => code)),
        css: sum([...sheets].map((sheet) => sourceOf(bundle[sheet]))),
      }
      const line = `${name}: ${inKb(weights.js)} of ${inKb(js)} kB JavaScript, ${inKb(weights.css)} of ${inKb(mostCss)} kB CSS (gzip, ${chunks.length} files)`
      if (weights.js > js || weights.css > mostCss) this.error(`Too heavy. ${line}`)
      process.stdout.write(`${line}\n`)
    }
  },
})

/** The entry's chunks, and those of the pages, with all that they import at once. */
function loadedWith(bundle: Rolldown.OutputBundle, pages: readonly string[]) {
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  )
  const found = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) add(chunks.get(name))
  }
  for (const chunk of chunks.values()) if (chunk.isEntry) add(chunk)
  for (const page of pages) {
    const own = [...chunks.values()].filter(({ facadeModuleId }) => facadeModuleId?.endsWith(page))
    if (own.length === 0) throw new Error(`${page} has no chunk of its own: nothing to weigh`)
    own.forEach(add)
  }
  return [...found]
}

const sourceOf = (file: Rolldown.OutputBundle[string] | undefined) =>
  file?.type === 'asset' ? file.source : ''

const sum = (sources: readonly (string | Uint8Array)[]) =>
  sources.reduce((total, source) => total + gzipSync(source).length, 0)

const inKb = (bytes: number) => (bytes / kB).toFixed(1)
