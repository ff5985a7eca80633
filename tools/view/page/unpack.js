// Runs before all else: the script of the page, which is packed in it. Its sum is in the policy, so that no other text runs.
(async () => {
  try {
    const packed = Uint8Array.from(atob(document.getElementById('packed')?.textContent || ''), (letter) => letter.charCodeAt(0));
    const script = document.createElement('script');
    script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new (/** @type {any} */ (window).DecompressionStream)('deflate-raw'))).text();
    document.head.append(script);
  } catch (error) {
    document.body.textContent = `This page needs a browser of 2023 or later (${error}).`;
  }
})();
