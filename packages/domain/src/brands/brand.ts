/** A white label: what the product is called, how it looks, and which parts of it are shown. */
export type Brand = {
  /** What the configuration calls it; the name of its file. */
  key: string
  name: string
  /** One sentence: what its users get. */
  tagline: string
  copyright: string
  /** A square SVG mark, the name stands beside it. Its main colour is shade 6: see `logoOn`. */
  logo: string
  palette: BrandPalette
  /** What the interface starts in; `auto` follows the visitor's system. */
  colorScheme: 'auto' | 'light' | 'dark'
  flags: BrandFlags
}

export type BrandPalette = {
  /** The primary colour from its lightest to its darkest shade, `#rrggbb`. */
  shades: Shades
  /** Which shade fills buttons on each ground: white text on it must be readable. */
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
  /** A public page at `/`; without it, `/` leads into the product. */
  landingPage: boolean
  /** The how-to-sell menu and its manuals. */
  howToSell: boolean
  /** IP columns and filters of the logs. */
  showIp: boolean
  /** The referrer column of the click log. */
  showReferrer: boolean
}
