import { brandOf, BRAND_KEYS } from '@tallyroom/domain/brands/index'
import { landingPage } from '../apps/api/src/operate/brand/landing.page.ts'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

const brands = BRAND_KEYS.map(brandOf).filter(({ flags }) => flags.landingPage)

// The brand of the test server has no landing page, so the test serves the pages itself.
for (const brand of brands) {
  test(`the landing page of ${brand.name} has no accessibility violations, and links to the sign-in page`, async ({
    page,
  }) => {
    await page.route('/', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: landingPage(brand) }),
    )
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto('/')
        const found = await violationsOf(page, { coloursOnly: colorScheme === 'dark' })
        expect(found, `${colorScheme}, ${width} wide`).toEqual([])
        const overflow = () => document.documentElement.scrollWidth - window.innerWidth
        expect(await page.evaluate(overflow)).toBe(0)
      }
    }
    await page.locator('a[href="/login"]').first().click()
    await expect(page).toHaveURL(/\/login$/)
  })
}
