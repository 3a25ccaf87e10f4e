import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { freePort } from './support/free-port.ts'
import type { Options } from './support/test.ts'

// Set once. Worker processes load this file too, and inherit the environment.
process.env['E2E_PORT'] ??= String(await freePort())
// Outside the project, which the database user may not be able to read.
process.env['E2E_DATA_DIR'] ??= join(tmpdir(), `tallyroom-e2e-${process.pid}`)

// A Wednesday, in the middle of the day and of a pay period, so that runs are comparable. TEST_NOW sets another
// instant, with its time zone. The tests must pass on every day.
const start = Date.parse(process.env['TEST_NOW'] ?? '2026-09-23T15:04:00Z')
if (Number.isNaN(start)) throw new Error('TEST_NOW must be an instant such as 2028-02-29T17:00:00Z')
process.env['E2E_START_MS'] ??= String(start)
process.env['E2E_AHEAD_MS'] ??= String(start - Date.now())

const baseURL = `http://127.0.0.1:${process.env['E2E_PORT']}`

export default defineConfig<Options>({
  testDir: '.',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Patience, not a measure: a busy machine is given its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL,
    viewport: { width: 1440, height: 900 },
    // Pages must show New York time whatever the browser's time zone.
    timezoneId: 'Asia/Manila',
    locale: 'en-US',
    colorScheme: 'light',
    // The worker would hide navigations from tests that answer them. The tests about it allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
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
      BUSY_AFTER_MS: '0',
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
