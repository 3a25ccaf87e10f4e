import type { Brand } from './brand.ts'

export const copperleaf: Brand = {
  key: 'copperleaf',
  name: 'Copperleaf',
  tagline: 'Your network grows. Its figures stay readable.',
  copyright: '© Copperleaf. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <path d="M4 28C1.5 13 11 3 29 3c0 18-9 27.5-25 25z" fill="#bd5a1e"/>
  <path d="M7.5 24.5 20.5 11.5" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/>
  <path d="M10.5 21.5v-7M15 17v-6.5M10.5 21.5h7M15 17h6.5" stroke="#ffcdb5" stroke-width="2" stroke-linecap="round"/>
</svg>`,
  palette: {
    shades: [
      '#fff4ef',
      '#ffe5d9',
      '#ffcdb5',
      '#f6ad8a',
      '#e98d5e',
      '#d56f38',
      '#bd5a1e',
      '#a44601',
      '#8a3a01',
      '#6e2b00',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'light',
  flags: { landingPage: true, howToSell: false, showIp: true, showReferrer: false },
}
