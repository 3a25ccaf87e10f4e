import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { say } from './project.mjs'

const places = [
  process.env.CHROMIUM_PATH,
  // The same browser without windows and toolbars, which take half of the CPU time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const findChromium = () => places.find((place) => place && existsSync(place))

/** Finds the browser for the tests. On Debian as root, installs it. */
export function provideChromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installing Chromium …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    apt('update')
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const { stderr } = apt('install', '-y', '--no-install-recommends', name, 'fonts-dejavu-core')
      const installed = findChromium()
      if (installed) return installed
      console.error(stderr)
    }
  }
  throw new Error(
    'The tests drive a browser: install Chromium or Chrome (on Debian: apt-get install chromium-headless-shell), ' +
      'or set CHROMIUM_PATH.',
  )
}
