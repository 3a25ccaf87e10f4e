import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type Sharp from 'sharp'
import { addressOf, pages, readyOnPhone, screens } from '../support/pages.ts'
import { start } from '../support/day.ts'
import { expect, test } from '../support/test.ts'
import { states } from '../support/states.ts'
import { folder, isTaken, nameOf, nameOfState, pictureOf } from './names.ts'

const sharp = createRequire(new URL('../../apps/api/package.json', import.meta.url))(
  'sharp',
) as typeof Sharp

mkdirSync(folder, { recursive: true })

for (const shown of pages) {
  const name = nameOf(shown)
  if (!isTaken(name)) continue
  test.describe(() => {
    test.use({
      account: shown.account,
      mustChangePassword: shown.mustChangePassword ?? false,
      mustAddFactor: shown.mustAddFactor ?? false,
      expectedConsole: shown.expectedConsole ?? [],
    })

    test(`${shown.path} as ${shown.account ?? 'nobody'}`, async ({ page }) => {
      await page.clock.setFixedTime(start)
      const address = await addressOf(page, shown)
      for (const [screen, viewport] of Object.entries(screens)) {
        await page.setViewportSize(viewport)
        await page.goto(address)
        await page.locator(readyOnPhone(shown)).first().waitFor()
        await takeBoth(page, (colorScheme) => pictureOf(name, screen, colorScheme))
      }
    })
  })
}

for (const [title, state] of Object.entries(states)) {
  const name = nameOfState(title)
  if (!isTaken(name)) continue
  const { path, open, shows, onPhone, account = 'superadmin', expectedConsole = [] } = state
  test.describe('states', () => {
    test.use({ account, expectedConsole: [/use-focus-trap/, ...expectedConsole] })

    test(title, async ({ page }) => {
      await page.clock.setFixedTime(start)
      for (const [screen, viewport] of Object.entries(screens)) {
        if (screen === 'phone' && !onPhone) continue
        await page.setViewportSize(viewport)
        await page.goto('about:blank')
        await page.goto(path)
        await page.getByRole('banner').getByRole('time').waitFor()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        await open(page)
        await page.locator(shows).first().waitFor()
        await takeBoth(page, (colorScheme) => pictureOf(name, screen, colorScheme))
      }
    })
  })
}

/** Takes the page in light and dark. */
async function takeBoth(page: Page, fileOf: (colorScheme: string) => string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await page.waitForLoadState('networkidle')
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    await sharp(picture)
      // Sharper than lossy pictures of text, and smaller.
      .webp({ nearLossless: true, quality: 20, effort: 6 })
      .toFile(join(folder, fileOf(colorScheme)))
  }
}
