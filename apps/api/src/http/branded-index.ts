import { type Brand } from '@tallyroom/domain/brands/index'

/**
 * The web app's page with the brand's title, icon and colours, so that nothing of another look is seen before
 * its scripts have arrived.
 */
export function brandedIndex(html: string, brand: Brand): string {
  const { shades, primaryShade } = brand.palette
  const icon = `data:image/svg+xml,${encodeURIComponent(brand.logo)}`
  return html
    .replace('<html lang="en">', `<html lang="en" data-color-scheme="${brand.colorScheme}">`)
    .replace(/<title>[^<]*<\/title>/, `<title>${brand.name}</title>`)
    .replace('href="data:,"', `href="${icon}"`)
    .replace(
      '<meta name="color-scheme"',
      `<meta name="theme-color" content="${shades[primaryShade.light]}" />\n    <meta name="color-scheme"`,
    )
}
