import type { Brand } from './brand.ts'

export const tallyroom: Brand = {
  key: 'tallyroom',
  name: 'Tallyroom',
  tagline: 'Every click, every sale, counted once.',
  copyright: '© Tallyroom. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="8" fill="#008d84"/>
  <path d="M9 9v14M13.7 9v14M18.3 9v14M23 9v14" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>
  <path d="M5.8 20.6 26.2 11.4" stroke="#b3e5df" stroke-width="2.4" stroke-linecap="round"/>
</svg>`,
  palette: {
    shades: [
      '#edfaf8',
      '#d7f2ee',
      '#b3e5df',
      '#84d2c9',
      '#4ebcb2',
      '#0ea59a',
      '#008d84',
      '#08766e',
      '#00635d',
      '#004e48',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'auto',
  flags: { landingPage: false, howToSell: true, showIp: true, showReferrer: false },
}
