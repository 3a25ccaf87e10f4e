import type { Brand } from './brand.ts'

export const plumfield: Brand = {
  key: 'plumfield',
  name: 'Plumfield',
  tagline: 'What your agents sow, counted to the last sale.',
  copyright: '© Plumfield. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="16" ry="10" fill="#b6508e"/>
  <circle cx="16" cy="10" r="3.6" fill="#fbc8e3"/>
  <path d="M5.5 25.5c3-6.3 18-6.3 21 0M4.3 19.8c5.5-6.2 17.9-6.2 23.4 0M12.8 26.2c1.2-1.3 5.2-1.3 6.4 0" stroke="#fff" stroke-width="2.2" stroke-linecap="round" fill="none"/>
</svg>`,
  palette: {
    shades: [
      '#fff3f9',
      '#ffe2f1',
      '#fbc8e3',
      '#f1a6d0',
      '#e284bb',
      '#cd65a4',
      '#b6508e',
      '#9d3d79',
      '#853066',
      '#692550',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'auto',
  flags: { landingPage: true, howToSell: true, showIp: false, showReferrer: false },
}
