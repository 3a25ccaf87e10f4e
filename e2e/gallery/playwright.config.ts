import type { PlaywrightTestConfig } from '@playwright/test'
import base from '../playwright.config.ts'
import type { Options } from '../support/test.ts'

/** Takes the screenshots of docs/gallery: `npm run gallery`. */
const config: PlaywrightTestConfig<Options> = { ...base, testDir: '.', testMatch: 'pictures.ts' }

export default config
