import { BRAND_KEYS, type Brand, brandOf } from '@tallyroom/domain/brands/index'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationTags } from './installation.ts'

interface IndexPage {
  /** The HTML at a path, with the files that the page there loads. */
  pageAt(path: string): string
  /** The hashes of the scripts in it, as the content security policy names them. */
  ownScripts: string[]
}

/**
 * The web app's only page. It paints its outline before anything else arrives, so the scripts that decide how it looks are
 * written into it. Undefined if the web app is not built.
 */
export function readIndexPage(webDir: string, brand: Brand): IndexPage | undefined {
  if (!existsSync(join(webDir, 'index.html'))) return undefined
  const ownScripts: string[] = []
  const html = brandedIndex(readFileSync(join(webDir, 'index.html'), 'utf8'), brand).replaceAll(
    /<script src="\/([\w-]+\.js)"><\/script>/g,
    (_, file: string) => {
      const script = readFileSync(join(webDir, file), 'utf8')
      ownScripts.push(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
      return `<script>${script}</script>`
    },
  )
  const pages = new Map(
    Object.entries(readFirstScreens(webDir)).map(([path, files]) => [path, withFiles(html, files)]),
  )
  const ofRecords = [...pages].filter(([path]) => path.includes('/$'))
  const recordAt = (path: string) => ofRecords.find(([pattern]) => isAt(pattern, path))?.[1]
  return { pageAt: (path) => pages.get(path) ?? recordAt(path) ?? html, ownScripts }
}

/** Whether a path is that of a page with parameters, such as `/app/sites/$siteId`. */
function isAt(pattern: string, path: string): boolean {
  const segments = path.split('/')
  const wanted = pattern.split('/')
  return (
    segments.length === wanted.length &&
    wanted.every((segment, at) => segment.startsWith('$') || segment === segments[at])
  )
}

/** The files of each page (apps/web/first-screens.ts). */
function readFirstScreens(webDir: string): Record<string, string[]> {
  const file = join(webDir, 'first-screens.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>)
    : {} // the build's own
}

/** Names scripts in the head, and style sheets with those of every page, below its outline. */
function withFiles(html: string, files: string[]): string {
  const sheets = files.filter((file) => file.endsWith('.css'))
  const scripts = files.filter((file) => !file.endsWith('.css'))
  const links = (names: string[], rel: string) =>
    names.map((name) => `<link rel="${rel}" crossorigin href="/${name}">`).join('')
  return html
    .replace('</head>', `${links(scripts, 'modulepreload')}</head>`)
    .replace('<div id="root">', `${links(sheets, 'stylesheet')}$&`)
}

/**
 * The index page with the brand's title, icon, logo and colours, so that no other brand flashes up before the scripts load.
 */
export function brandedIndex(html: string, brand: Brand): string {
  const { shades, primaryShade } = brand.palette
  const icon = `data:image/svg+xml,${encodeURIComponent(brand.logo)}`
  const key = BRAND_KEYS.find((one) => brandOf(one) === brand)
  const howToSell = brand.flags.howToSell ? ' data-how-to-sell="true"' : ''
  return html
    .replace(
      '<html lang="en">',
      `<html lang="en" data-color-scheme="${brand.colorScheme}" data-brand="${key}"${howToSell}>`,
    )
    .replace(/<title>[^<]*<\/title>/, `<title>${brand.name}</title>`)
    .replace('<b>Back office</b>', `${brand.logo}<b>${brand.name}</b>`)
    .replace('href="data:,"', `href="${icon}"`)
    .replace(
      '<meta name="color-scheme"',
      `<meta name="theme-color" content="${shades[primaryShade.light]}" />\n    ${installationTags}\n    <meta name="color-scheme"`,
    )
}
