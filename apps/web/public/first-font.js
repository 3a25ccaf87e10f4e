// On a slow line, the first page is drawn without its font, which would arrive too late to be shown and keep everything else
// waiting. lib/first-font fetches it afterwards, unless data is to be saved, and shows it from the next page on.
try {
  var line = navigator.connection
  var isSlow = line && (line.saveData || line.downlink < 1.5 || line.rtt > 300)
  if (isSlow && !localStorage.getItem('tallyroom.font'))
    document.documentElement.dataset.line = 'slow'
} catch {
  // Storage is closed to us: the font is fetched.
}
if (document.documentElement.dataset.line !== 'slow')
  for (var font of document.querySelectorAll('link[as=font]')) font.media = 'all'
