import { describe, expect, test } from 'vitest'
import {
  BRAND_KEYS,
  brandOf,
  brands,
  DEFAULT_BRAND,
  headerNameOf,
  isBrandKey,
  logoOn,
  type Brand,
} from './index.ts'

const all = Object.entries<Brand>(brands)

test('there are six, with different keys, names, logos and colours', () => {
  expect(BRAND_KEYS).toHaveLength(6)
  expect(all.map(([key]) => key)).toEqual(all.map(([, brand]) => brand.key))
  for (const field of ['name', 'tagline', 'copyright', 'logo'] as const) {
    expect(new Set(all.map(([, brand]) => brand[field])).size).toBe(6)
  }
  expect(new Set(all.map(([, brand]) => brand.palette.shades[6])).size).toBe(6)
})

test('the default brand shows IP addresses and hides the referrer', () => {
  expect(brandOf(DEFAULT_BRAND).flags).toMatchObject({ showIp: true, showReferrer: false })
})

test('other words are not brands', () => {
  expect(['', 'Tallyroom', 'toString'].filter(isBrandKey)).toEqual([])
})

describe.each(all)('%s', (_, brand) => {
  const { shades, primaryShade } = brand.palette

  test('has ten shades from light to dark', () => {
    expect(shades.every((shade) => /^#[\da-f]{6}$/.test(shade))).toBe(true)
    expect(shades.map(luminance)).toEqual(shades.map(luminance).toSorted((a, b) => b - a))
  })

  test('is readable: on its buttons, and as a link on light and dark backgrounds', () => {
    expect(contrast('#ffffff', shades[primaryShade.light])).toBeGreaterThan(4.5)
    expect(contrast('#ffffff', shades[primaryShade.dark])).toBeGreaterThan(4.5)
    expect(contrast(shades[4], '#242424')).toBeGreaterThan(4.5)
  })

  test('has a purely graphical mark, visible on light and dark backgrounds', () => {
    expect(brand.logo).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 32 32"/)
    expect(brand.logo).not.toMatch(/<(?!\/?(svg|path|rect|circle)\b)|\bstyle=|\bon\w+=|href/)
    expect(brand.logo).toContain(shades[6])
    expect(logoOn(brand, 'light')).toBe(brand.logo)
    expect(contrast(shades[6], '#ffffff')).toBeGreaterThan(3)
    expect(logoOn(brand, 'dark')).toContain(shades[5])
    expect(logoOn(brand, 'dark')).not.toContain(shades[6])
    expect(contrast(shades[5], '#15171a')).toBeGreaterThan(4.5)
    // White is drawn on this shade.
    expect(contrast(shades[5], '#ffffff')).toBeGreaterThan(3)
  })
})

/** WCAG's contrast ratio of two `#rrggbb` colours, 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each([
  ['Harborline', 'Harborline'],
  ['Café Nord & Co.', 'CafeNordCo'],
  ['Line\r\nX-Evil: 1', 'LineX-Evil1'],
  ['港口', 'harbor'],
])('%j is %s in a header', (name, token) => {
  expect(headerNameOf({ name, key: 'harbor' })).toBe(token)
})

test('each brand has a name for headers', () => {
  for (const key of BRAND_KEYS) expect(headerNameOf(brandOf(key))).toMatch(/^[\w-]+$/)
})
