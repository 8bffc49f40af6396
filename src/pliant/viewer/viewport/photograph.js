// A picture of the view, saved as a file: what the canvas shows, before the backdrop that the page shines through it.

export function photograph(canvas, element, name) {
  const sheet = document.createElement("canvas");
  sheet.width = canvas.width;
  sheet.height = canvas.height;
  const pen = sheet.getContext("2d");
  pen.fillStyle = backdrop(pen, element, canvas.width, canvas.height);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(canvas, 0, 0);
  sheet.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

function backdrop(pen, element, width, height) {
  const style = getComputedStyle(element);
  const glow = pen.createRadialGradient(width / 2, 0.35 * height, 0, width / 2, 0.35 * height, 0.9 * Math.max(width, height));
  ["--stage-near", "--stage-middle", "--stage-far"].forEach((colour, i) =>
    glow.addColorStop([0, 0.6, 1][i], style.getPropertyValue(colour).trim() || "#888"));
  return glow;
}
