// Before the app's own scripts arrive: the outline of the page (index.html), and the calls that every page waits for, and
// those for Home's own figures, whose answers lib/first-data hands to the app.
try {
  var session = JSON.parse(localStorage.getItem('tallyroom.session'))
  var page = document.documentElement
  if (session && location.pathname.startsWith('/app')) page.dataset.opening = 'frame'
  if (localStorage.getItem('tallyroom.menu-collapsed') === 'true') page.dataset.menu = 'collapsed'
  if (session && location.pathname.startsWith('/app')) {
    var isHome = location.pathname === '/app/home'
    globalThis.tallyroomFirst = { token: session.token, answers: {} }
    for (var url of [
      '/api/alerts/login',
      isHome && '/api/home',
      isHome && '/api/dashboard',
      isHome && page.dataset.howToSell && '/api/site-manuals?sortField=title',
      isHome && session.me.role === 'superadmin' && '/api/demo-visitors',
    ]) {
      if (!url) continue
      var answer = fetch(url, {
        headers: { 'Cache-Control': 'no-cache', Authorization: 'Bearer ' + session.token },
      })
      // Whoever takes the answer hears of it.
      answer.catch(() => undefined)
      globalThis.tallyroomFirst.answers[url] = answer
    }
  }
} catch {
  // Storage is closed to us, or not ours: the app asks itself.
}
