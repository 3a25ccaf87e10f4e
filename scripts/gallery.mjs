// `npm run gallery`: retakes the screenshots of docs/gallery, on desktop and phone, in light and dark, with the demo network on a
// fixed date. Then writes their index. `npm run gallery -- --all` takes every page, into .cache/gallery.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { buildWebIfStale } from './build-web.mjs'
import { findRuntime } from './check-runtime.mjs'
import { provideChromium } from './chromium.mjs'
import { installIfStale } from './install.mjs'
import { path, root, say } from './project.mjs'

const takesAll = process.argv.includes('--all')
const folder = path(takesAll ? '.cache/gallery' : 'docs/gallery')

try {
  installIfStale()
  const node = findRuntime()
  const chromium = provideChromium()
  buildWebIfStale(node)
  mkdirSync(folder, { recursive: true })
  for (const name of pictures()) rmSync(`${folder}/${name}`)
  const { status } = spawnSync(
    node,
    [
      path('node_modules/@playwright/test/cli.js'),
      'test',
      '--config=e2e/gallery/playwright.config.ts',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CHROMIUM_PATH: chromium, ...(takesAll && { GALLERY: 'all' }) },
    },
  )
  writeFileSync(`${folder}/README.md`, index())
  say(`${pictures().length} screenshots in ${folder}`)
  process.exitCode = status ?? 1
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

function pictures() {
  return readdirSync(folder).filter((name) => name.endsWith('.webp'))
}

function index() {
  const all = new Set(pictures())
  const shown = [
    ...new Set([...all].map((name) => name.replace(/-(desktop|phone)-(light|dark)\.webp$/, ''))),
  ]
  const lines = shown.toSorted().map((page) => {
    const link = (screen, scheme, shows) => `[${shows}](${page}-${screen}-${scheme}.webp)`
    const both = (screen, width) => {
      const picture = `<img src="${page}-${screen}-light.webp" width="${width}" alt="${page}, ${screen}">`
      // On a phone, some popups open differently or do not exist.
      if (!all.has(`${page}-${screen}-light.webp`)) return ''
      return `${link(screen, 'light', picture)}<br>${link(screen, 'dark', 'in the dark')}`
    }
    return `| ${page} | ${both('desktop', 400)} | ${both('phone', 120)} |`
  })
  return `# Gallery

Pages of the demo network in light and dark, as \`npm run gallery\` takes them: on a fixed day, as superadmin where no name is
said. Names that begin with \`state\` are popups, and forms with mistakes. \`npm run gallery -- --all\` takes every page.

| Page | Desktop | Phone |
|---|---|---|
${lines.join('\n')}
`
}
