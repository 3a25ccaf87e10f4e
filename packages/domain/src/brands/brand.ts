/** A white label: the product's name and look, and which features it shows. */
export type Brand = {
  /** The key in the configuration; also the file name. */
  key: string
  name: string
  /** One sentence on what users get. */
  tagline: string
  copyright: string
  /** A square SVG mark, shown next to the name. Its main colour is shade 6: see `logoOn`. */
  logo: string
  palette: BrandPalette
  /** The initial colour scheme; `auto` follows the visitor's system. */
  colorScheme: 'auto' | 'light' | 'dark'
  flags: BrandFlags
}

export type BrandPalette = {
  /** The primary colour from lightest to darkest, `#rrggbb`. */
  shades: Shades
  /** The button colour in each colour scheme. White text on it must be readable. */
  primaryShade: { light: ShadeIndex; dark: ShadeIndex }
}

export type Shades = readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]

export type ShadeIndex = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

export type BrandFlags = {
  /** A public page at `/`. Without it, `/` redirects into the product. */
  landingPage: boolean
  /** The How to sell menu and its manuals. */
  howToSell: boolean
  /** IP columns and filters of the logs. */
  showIp: boolean
  /** The referrer column of the click log. */
  showReferrer: boolean
}
