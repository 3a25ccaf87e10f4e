import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Sharp from 'sharp'
import { addressOf, pages, readyOnPhone, screens } from '../support/pages.ts'
import { start } from '../support/day.ts'
import { expect, test } from '../support/test.ts'
import { folder, isShown, pictureOf, schemesOf } from './names.ts'

const sharp = createRequire(new URL('../../apps/api/package.json', import.meta.url))(
  'sharp',
) as typeof Sharp

mkdirSync(folder, { recursive: true })

for (const shown of pages.filter(isShown)) {
  test.describe(() => {
    test.use({
      account: shown.account,
      mustChangePassword: shown.mustChangePassword ?? false,
      expectedConsole: shown.expectedConsole ?? [],
    })

    test(`${shown.path} as ${shown.account ?? 'nobody'}`, async ({ page }) => {
      await page.clock.setFixedTime(start)
      const address = await addressOf(page, shown)
      for (const [screen, viewport] of Object.entries(screens)) {
        await page.setViewportSize(viewport)
        await page.goto(address)
        for (const colorScheme of schemesOf(shown, screen)) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.locator(readyOnPhone(shown)).first().waitFor()
          await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
          await page.waitForLoadState('networkidle')
          const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
          await sharp(picture)
            // Sharper than lossy pictures of text, and smaller.
            .webp({ nearLossless: true, quality: 20, effort: 6 })
            .toFile(join(folder, pictureOf(shown, screen, colorScheme)))
        }
      }
    })
  })
}
