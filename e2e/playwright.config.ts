import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import type { Options } from './support/test.ts'

// Set once: the workers read this file too, in processes of their own that inherit the environment.
process.env['E2E_PORT'] ??= String(await freePort())
// Not in the project: the engine's own user may not be able to reach that.
process.env['E2E_DATA_DIR'] ??= join(tmpdir(), `tallyroom-e2e-${process.pid}`)

const baseURL = `http://127.0.0.1:${process.env['E2E_PORT']}`

export default defineConfig<Options>({
  testDir: '.',
  outputDir: '../test-results',
  // A busy machine may miss a moment. What fails three times is broken.
  retries: process.env['CI'] ? 2 : 0,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL,
    viewport: { width: 1440, height: 900 },
    // Every page speaks of New York, wherever its reader is.
    timezoneId: 'Asia/Manila',
    locale: 'en-US',
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    // Of the second try: to record every first one takes long, and nearly all of them pass.
    trace: { mode: 'on-first-retry', screenshots: false },
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" ${JSON.stringify(join(import.meta.dirname, 'serve.ts'))}`,
    url: `${baseURL}/api/health`,
    env: {
      PORT: process.env['E2E_PORT'],
      DATA_DIR: process.env['E2E_DATA_DIR'],
      HOST: '127.0.0.1',
      CAPTCHA: 'on',
      BUSY_AFTER_MS: '20000',
      SEED: 'demo',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: '',
    },
    timeout: 240_000,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo // it listens on TCP
      server.close(() => resolve(port))
    })
  })
}
