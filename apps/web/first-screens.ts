import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'
import { withImports } from './bundle-budget.ts'
import { FIRST_PAGES } from './first-pages.ts'
import { pagesIn } from './pages-in.ts'

/** Smaller files are sent as they are. */
const COMPRESSED_BYTES = 1024

/**
 * For slow lines. Lists the files of each page in `first-screens.json`, so that the server's HTML names them and they
 * are not found by one script after the other. Moves the style sheet below the outline of the page, which is painted before
 * it arrives. Compresses scripts and style sheets as far as brotli can, which takes too long for each request.
 */
export const firstScreens = (): Plugin => ({
  name: 'first-screens',
  apply: 'build',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const entry = new Set(
      withImports(
        chunks,
        chunks.filter(({ isEntry }) => isEntry),
      ),
    )
    const chunkOf = (module: string) =>
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module)) ??
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))) ??
      this.error(`${module} is in no chunk: nothing to preload`)
    const filesOf = (modules: readonly string[]) => {
      const loaded = modules
        .flatMap((module) => withImports(chunks, [chunkOf(module)]))
        .filter((chunk) => !entry.has(chunk))
      const sheets = loaded.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      return [...new Set([...loaded.map(({ fileName }) => fileName), ...sheets])]
    }
    const routes = [...this.getModuleIds()].filter((id) => id.endsWith('.routes.ts'))
    const pages = await Promise.all(
      routes.toSorted().map(async (file) => {
        const found = pagesIn(await readFile(file, 'utf8'))
        if (found.length === 0) this.error(`${basename(file)} has no page: nothing to preload`)
        return found.map(({ path, module }) => [path, [join(dirname(file), module)]] as const)
      }),
    )
    const screens = [...pages.flat(), ...Object.entries(FIRST_PAGES)].map(([path, modules]) => [
      path,
      filesOf(modules),
    ])
    this.emitFile({
      type: 'asset',
      fileName: 'first-screens.json',
      source: JSON.stringify(Object.fromEntries(screens)),
    })
  },
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [sheet = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? []
      return html.replace(sheet, '').replace('<div id="root">', `${sheet.trim()}\n    $&`)
    },
  },
  async writeBundle({ dir = '' }) {
    const names = await readdir(join(dir, 'assets'))
    await Promise.all(
      names
        .filter((name) => /\.(js|css)$/.test(name))
        .map(async (name) => {
          const file = join(dir, 'assets', name)
          const content = await readFile(file)
          if (content.length < COMPRESSED_BYTES) return
          await writeFile(`${file}.br`, await compress(content))
        }),
    )
  },
})

const compress = promisify(brotliCompress)
