import type { Brand } from './brand.ts'

export const harborline: Brand = {
  key: 'harborline',
  name: 'Harborline',
  tagline: 'Steady figures for a network on the move.',
  copyright: '© Harborline. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <circle cx="16" cy="16" r="16" fill="#287ccf"/>
  <path d="M10.5 15.5a5.5 5.5 0 0 1 11 0z" fill="#bfdcfe"/>
  <path d="M5.5 19.6c2.6-2 4.6-2 7 0s4.4 2 7 0 4.4-2 7 0M8.5 24.4c2.2-1.7 3.6-1.7 5.5 0s3.5 1.7 5.5 0 2.4-1.3 4-.4" stroke="#fff" stroke-width="2.2" stroke-linecap="round" fill="none"/>
</svg>`,
  palette: {
    shades: [
      '#f1f8ff',
      '#deedff',
      '#bfdcfe',
      '#93c5fe',
      '#66acf8',
      '#4092e7',
      '#287ccf',
      '#0f67b6',
      '#05569b',
      '#03437b',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'auto',
  flags: { landingPage: true, howToSell: true, showIp: true, showReferrer: true },
}
