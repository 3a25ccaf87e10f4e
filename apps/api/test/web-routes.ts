import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../web/src')

/** The paths of all pages of the web app, read from their declarations: those at the root, and those below `/app` without it. */
export const routePaths = (): string[] =>
  globSync('!(app)/*/*.routes.ts', { cwd: folder }).flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^ +path: '(\/.+)',$|leadsTo\('(\/.+?)'/gm,
      ),
    ].flatMap(([, page, detour]) => page ?? detour ?? []),
  )
