import { join } from 'node:path'
import base from '../playwright.config.ts'

const { webServer: server } = base
if (!server || Array.isArray(server))
  throw new Error('the gallery needs the one server of the tests')

/** Takes the pictures of docs/gallery: `npm run gallery`. */
export default {
  ...base,
  testDir: '.',
  testMatch: 'pictures.ts',
  retries: 1,
  timeout: 120_000,
  webServer: {
    ...server,
    command: `"${process.execPath}" ${JSON.stringify(join(import.meta.dirname, 'serve.ts'))}`,
  },
}
