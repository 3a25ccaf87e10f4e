/** Pages that visitors came from. */
export const referrers = [
  'https://www.chatterbay.example/rooms/lounge',
  'https://www.chatterbay.example/rooms/over-40',
  'https://forum.nightowls.example/t/introductions/118',
  'https://forum.nightowls.example/t/best-of-the-week/2204',
  'https://social.pinwheel.example/',
  'https://m.pinwheel.example/inbox',
  'https://www.dailyodds.example/reviews/casino',
  'https://www.dailyodds.example/bonus-codes',
  'https://search.wayfinder.example/?q=free+chat',
  'https://blog.citylights.example/2-for-1-weekend',
  'https://links.onepage.example/our-picks',
]
