import { createTheme, type CSSVariablesResolver } from '@mantine/core'
import type { BrandPalette } from '@tallyroom/domain/brands/index'
import { fontFamily } from '../lib/first-font.ts'

const SIZE = 'xs'

/** The Mantine theme: dense and quiet, in the brand's palette. */
export const productTheme = ({ shades, primaryShade }: BrandPalette) =>
  createTheme({
    colors: { brand: shades, dark: DARK, red: RED },
    primaryColor: 'brand',
    primaryShade,
    defaultRadius: 'sm',
    cursorType: 'pointer',
    fontFamily: fontFamily(),
    fontFamilyMonospace:
      'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    headings: { fontWeight: '600' },
    fontSizes: { xs: '13px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
    // Keyed by name instead of `Component.extend`, which would pull every component into the initial bundle.
    components: {
      Button: { defaultProps: { size: SIZE } },
      ActionIcon: { defaultProps: { size: 30 } },
      TextInput: { defaultProps: { size: SIZE } },
      PasswordInput: { defaultProps: { size: SIZE } },
      Textarea: { defaultProps: { size: SIZE } },
      Select: {
        // The list scrolls natively, because the library's scroll area is not keyboard-accessible.
        defaultProps: { size: SIZE, withScrollArea: false },
        styles: { options: { maxHeight: 320, overflowY: 'auto' } },
      },
      // All floating elements live in one landmark in index.html.
      Portal: { defaultProps: { target: '#floating' } },
      Checkbox: { defaultProps: { size: SIZE } },
      Radio: { defaultProps: { size: SIZE } },
      Tooltip: { defaultProps: { openDelay: 250, fz: 12 } },
      Anchor: { defaultProps: { inherit: true } },
      Badge: { defaultProps: { variant: 'light', size: 'md', radius: 'sm', tt: 'none', fw: 500 } },
      Modal: {
        defaultProps: {
          transitionProps: { transition: 'fade', duration: 120 },
          padding: 'lg',
          centered: true,
          closeButtonProps: CLOSE,
        },
        styles: { title: { fontSize: 15, fontWeight: 600 } },
      },
      Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    },
  })

/** The library's close buttons have no name. */
const CLOSE = { 'aria-label': 'Close' }

/** From text to the darkest background, in the hues of the backgrounds in theme.css. */
const DARK = [
  '#e3e6ea',
  '#b9bfc7',
  '#9aa1ab',
  '#717984',
  '#3a4048',
  '#2a2f36',
  '#1c1f23',
  '#15171a',
  '#101214',
  '#0b0d0e',
] as const

/** White text on shades 7 and 8 has a contrast of 4.5:1, unlike on the library's own red. */
const RED = [
  '#fff0f0',
  '#ffdfdf',
  '#ffbdbd',
  '#ff9494',
  '#fb6f6f',
  '#ef5050',
  '#e03a3a',
  '#cc2828',
  '#b32020',
  '#911818',
] as const

/** Replaces colours of the library whose contrast is below 4.5:1. */
export const contrastVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--tr-page)',
    '--mantine-color-text': '#1b1e23',
    '--mantine-color-dimmed': '#5b626b',
    '--mantine-color-placeholder': '#6b727b',
    '--mantine-color-error': '#c02525',
    '--mantine-color-orange-light-color': '#a93606',
    '--mantine-color-green-light-color': '#1e7033',
    '--mantine-color-yellow-light-color': '#8f4a00',
    '--mantine-color-default-border': 'var(--tr-line-strong)',
    '--mantine-color-default-hover': 'var(--tr-hover)',
  },
  dark: {
    '--mantine-color-body': 'var(--tr-page)',
    '--mantine-color-text': '#e3e6ea',
    '--mantine-color-dimmed': '#9aa1ab',
    '--mantine-color-placeholder': '#868e98',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-default': 'var(--tr-raised)',
    '--mantine-color-default-border': 'var(--tr-line-strong)',
    '--mantine-color-default-hover': 'var(--tr-hover)',
  },
})
