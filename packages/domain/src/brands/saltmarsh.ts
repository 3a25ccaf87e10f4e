import type { Brand } from './brand.ts'

export const saltmarsh: Brand = {
  key: 'saltmarsh',
  name: 'Saltmarsh',
  tagline: 'Calm water for busy sales networks.',
  copyright: '© Saltmarsh. All rights reserved.',
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
  <path d="M16 0 29.9 8v16L16 32 2.1 24V8z" fill="#3d8e4e"/>
  <path d="M16 25V11.5M11 25v-8M21 25v-6" stroke="#fff" stroke-width="2" stroke-linecap="round"/>
  <path d="M16 6.5v6M11 12.5v5M21 14.5v5" stroke="#c1e4c5" stroke-width="3.6" stroke-linecap="round"/>
  <path d="M7.5 25.5h17" stroke="#fff" stroke-width="2" stroke-linecap="round"/>
</svg>`,
  palette: {
    shades: [
      '#f0faf1',
      '#def1e0',
      '#c1e4c5',
      '#9cd1a2',
      '#76bb80',
      '#54a462',
      '#3d8e4e',
      '#29783b',
      '#1f652f',
      '#164f24',
    ],
    primaryShade: { light: 7, dark: 8 },
  },
  colorScheme: 'light',
  flags: { landingPage: false, howToSell: false, showIp: true, showReferrer: true },
}
