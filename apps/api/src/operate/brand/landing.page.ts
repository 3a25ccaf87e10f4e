import type { Brand } from '@tallyroom/domain/brands/index'

/**
 * The public page of a brand that has one: self-contained, and without scripts except the one that restores the
 * chosen colour scheme.
 */
export function landingPage(brand: Brand): string {
  const { name, tagline, copyright } = brand
  return `<!doctype html>
<html lang="en" data-color-scheme="${brand.colorScheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="${fillOf(brand)}">
<meta name="description" content="${leadOf(brand)}">
<title>${name} · ${tagline}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(brand.logo)}">
<script src="/color-scheme.js"></script>
<style>${styleOf(brand)}</style>
</head>
<body>
<header>
<span class="brand">${markOf(brand)}${name}</span>
<a class="quiet" href="/login">Sign in</a>
</header>
<main>
<section class="hero">
<div>
<h1>${tagline}</h1>
<p class="lead">${leadOf(brand)}</p>
<a class="button" href="/login">Sign in to ${name}</a>
</div>
${picture}
</section>
<ul class="points">
${points.map(([title, text]) => `<li><h2>${title}</h2><p>${text}</p></li>`).join('\n')}
</ul>
</main>
<footer>${copyright}</footer>
</body>
</html>
`
}

const leadOf = ({ name }: Brand): string =>
  `${name} is where a sales network works: offices and their agents share tracked links, watch sales ` +
  'as they come in, and see what they have earned.'

const points: [title: string, text: string][] = [
  [
    'Links that hold',
    'Every click is stored before the visitor is redirected, even while the database is down.',
  ],
  [
    'Sales that count once',
    'Merchants report server to server. Duplicate, late and out-of-order reports still count once.',
  ],
  [
    'Figures for everybody',
    'Today’s sales for agents, rankings for offices, payroll for staff: everyone sees what is theirs.',
  ],
]

const fillOf = ({ palette: { shades, primaryShade } }: Brand): string => shades[primaryShade.light]

/** The logo with its main colour adapted to the background, as everywhere in the product. */
const markOf = ({ logo, palette: { shades } }: Brand): string =>
  logo.replaceAll(shades[6], 'var(--mark)')

/** A decorative rising chart, without real figures. */
const picture = `<svg class="picture" viewBox="0 0 520 380" aria-hidden="true">
<rect class="card" x="1" y="1" width="518" height="378" rx="20"/>
<g class="rows"><path d="M36 40h96M36 64h168"/><path d="M36 108h448M36 164h448M36 220h448M36 276h448" class="grid"/></g>
<g class="bars">${[58, 82, 70, 104, 96, 132, 120, 158, 149, 186]
  .map(
    (height, at) =>
      `<rect x="${44 + at * 44}" y="${316 - height}" width="26" height="${height}" rx="6"/>`,
  )
  .join('')}</g>
<path class="line" d="M57 236C101 214 101 226 145 212S233 196 277 170s88-24 132-58 44-22 44-30"/>
<circle class="dot" cx="453" cy="82" r="7"/>
<path class="base" d="M36 328h448"/>
</svg>`

const styleOf = ({ palette: { shades, primaryShade } }: Brand): string => `
:root{color-scheme:light dark;--fill:light-dark(${shades[primaryShade.light]},${shades[primaryShade.dark]});
--mark:light-dark(${shades[6]},${shades[5]});--accent:light-dark(${shades[7]},${shades[4]});
--page:light-dark(#fff,#15171a);--text:light-dark(#1b1e23,#e3e6ea);--dim:light-dark(#5b626b,#9aa1ab);
--edge:light-dark(#e8eaed,#272b31);--card:light-dark(#fff,#1c1f23);
--glow:light-dark(${shades[1]},color-mix(in srgb,${shades[9]} 55%,#15171a))}
:root[data-mantine-color-scheme=light]{color-scheme:light}
:root[data-mantine-color-scheme=dark]{color-scheme:dark}
*{box-sizing:border-box;margin:0}
body{display:flex;flex-direction:column;min-height:100dvh;color:var(--text);
background:radial-gradient(70rem 40rem at 85% -10rem,var(--glow),transparent),var(--page);
font:16px/1.6 Inter,-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif;
-webkit-font-smoothing:antialiased}
header,main,footer{width:min(1120px,100%);margin-inline:auto;padding-inline:24px}
header{display:flex;align-items:center;justify-content:space-between;padding-block:24px}
.brand{display:inline-flex;align-items:center;gap:12px;font-size:20px;font-weight:650;letter-spacing:-.02em}
.brand svg{width:36px;height:36px}
a{border-radius:8px;text-decoration:none;font-weight:600}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.quiet{padding:8px 14px;color:var(--text);border:1px solid var(--edge);background:var(--card)}
.quiet:hover{border-color:var(--accent)}
main{flex:1;display:flex;flex-direction:column;justify-content:center;gap:72px;padding-block:40px 64px}
.hero{display:grid;grid-template-columns:1.05fr 1fr;gap:64px;align-items:center}
h1{font-size:clamp(34px,5vw,56px);line-height:1.08;letter-spacing:-.035em;font-weight:700;text-wrap:balance}
.lead{margin-block:22px 32px;max-width:34em;color:var(--dim);font-size:18px;text-wrap:pretty}
.button{display:inline-block;padding:13px 24px;color:#fff;background:var(--fill);
box-shadow:0 8px 24px color-mix(in srgb,var(--fill) 30%,transparent)}
.button:hover{filter:brightness(1.08)}
.picture{width:100%;filter:drop-shadow(0 24px 48px rgb(0 0 0/10%))}
.card{fill:var(--card);stroke:var(--edge)}
.rows path{stroke:var(--edge);stroke-width:10;stroke-linecap:round}
.rows .grid{stroke-width:1}
.bars{fill:color-mix(in srgb,var(--mark) 28%,transparent)}
.bars rect:last-child{fill:var(--mark)}
.line{fill:none;stroke:var(--accent);stroke-width:4;stroke-linecap:round}
.dot{fill:var(--card);stroke:var(--accent);stroke-width:4}
.base{stroke:var(--edge);stroke-width:2;stroke-linecap:round}
.points{display:grid;grid-template-columns:repeat(3,1fr);gap:32px;padding:0;list-style:none}
.points li{padding-top:20px;border-top:2px solid color-mix(in srgb,var(--accent) 45%,transparent)}
h2{margin-bottom:6px;font-size:17px;letter-spacing:-.01em}
.points p{color:var(--dim);font-size:15px}
footer{padding-block:24px;color:var(--dim);font-size:13px}
@media(max-width:52em){.hero,.points{grid-template-columns:1fr}.hero{gap:40px}main{justify-content:flex-start;gap:48px;padding-block:24px 40px}
.points{gap:24px}}`
