import type { Brand } from './brand.ts'

export const northlane: Brand = {
  key: 'northlane',
  name: 'Northlane',
  tagline: 'One clear lane from click to payout.',
  copyright: '© Northlane. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <rect x="5" y="5" width="22" height="22" rx="5" transform="rotate(45 16 16)" fill="#7069d5"/>
  <path d="M16 6.5 22.5 23 16 19.4z" fill="#d3d5fe"/>
  <path d="M16 6.5 9.5 23 16 19.4z" fill="#fff"/>
</svg>`,
  palette: {
    shades: [
      '#f5f6ff',
      '#e8e9ff',
      '#d3d5fe',
      '#b8b9fe',
      '#9c9bfd',
      '#847fec',
      '#7069d5',
      '#5d55bb',
      '#4d469f',
      '#3c367e',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'dark',
  flags: { landingPage: false, howToSell: true, showIp: false, showReferrer: false },
}
