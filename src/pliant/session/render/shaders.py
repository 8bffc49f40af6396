"""The programs that run on the GPU (GLSL 3.30: every driver since 2010, and Mesa's software one)."""

# A caster seen from a light: only its depth.
DEPTH_VERTEX = """
#version 330
uniform mat4 light;
in vec3 in_position;
void main() { gl_Position = light * vec4(in_position, 1.0); }
"""
DEPTH_FRAGMENT = """
#version 330
void main() {}
"""

# Places in a picture. Repeating is the sampler's; at the edges of the others the picture must not wrap round, and
# the size of its details is still that of the surface.
PICTURE = """
uniform sampler2D picture;
uniform ivec2 wrap;  // 0 repeat, 1 clamp, 2 mirror
float place(float at, int way, float texel) {
    float inside = way == 2 ? 1.0 - abs(1.0 - mod(at, 2.0)) : at;
    return way == 0 ? at : clamp(inside, 0.5 * texel, 1.0 - 0.5 * texel);
}
vec4 painted(vec2 uv) {
    vec2 texel = 1.0 / vec2(textureSize(picture, 0));
    vec2 at = vec2(place(uv.x, wrap.x, texel.x), place(uv.y, wrap.y, texel.y));
    return textureGrad(picture, at, dFdx(uv), dFdy(uv));
}
"""

# A caster with holes: as above, but where its picture is transparent light goes through.
HOLED_VERTEX = """
#version 330
uniform mat4 light;
in vec3 in_position;
in vec4 in_look;
in vec2 in_uv;
out vec2 uv;
out float opacity;
void main() { uv = in_uv; opacity = in_look.w; gl_Position = light * vec4(in_position, 1.0); }
"""
HOLED_FRAGMENT = (
    "#version 330\n"
    + PICTURE
    + """
uniform float cutoff;
in vec2 uv;
in float opacity;
void main() { if (painted(uv).a * opacity < cutoff) discard; }
"""
)

# Shared by everything that takes light. `key` and `sky` are this pass's two directions (see lights.py).
LIGHT = """
#version 330
uniform vec3 key_direction, key_light, sky_direction, sky_light;
uniform mat4 key_matrix, sky_matrix;
uniform sampler2DShadow key_map, sky_map;
uniform float texel;  // metres

float lit(sampler2DShadow map, mat4 matrix, vec3 point, vec3 normal, vec3 direction) {
    // A surface must not shadow itself through the map's coarseness: move the point out along its normal, the
    // more the more slanted the light is.
    float slant = length(cross(normal, direction));
    vec3 p = (matrix * vec4(point + normal * texel * (0.6 + 2.4 * slant), 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0)))) return 1.0;
    p.z = min(p.z, 0.9999);  // beyond the last caster: compared with it, not clipped
    // Four corners, each the mean of four texels: the single shadow edges of the passes melt into each other.
    vec2 step = 1.25 / vec2(textureSize(map, 0));
    return 0.25 * (texture(map, p + vec3(step.x, 0.0, 0.0)) + texture(map, p - vec3(step.x, 0.0, 0.0))
        + texture(map, p + vec3(0.0, step.y, 0.0)) + texture(map, p - vec3(0.0, step.y, 0.0)));
}
"""

SURFACE_VERTEX = """
#version 330
uniform mat4 view;
in vec3 in_position, in_normal, in_colour, in_inside;
in vec4 in_look;
in vec2 in_uv;
out vec3 point, normal, colour, inside;
out vec4 look;
out vec2 uv;
void main() {
    point = in_position; normal = in_normal; colour = in_colour; inside = in_inside; look = in_look; uv = in_uv;
    gl_Position = view * vec4(in_position, 1.0);
}
"""

# What a surface makes of its light. look: roughness, sheen, metallic, opacity. Alpha is premultiplied, the gloss of
# glass stays. PICTURED: its picture is shown. HOLED: nothing is where that is transparent. CLEAR: it is blended.
MATERIAL = (
    """
uniform vec3 eye, bounce, fill;  // fill: what light finds its way into every crease
uniform float floor_height, floor_reach;  // reach 0: no floor
"""
    + PICTURE
    + """
uniform float cutoff;
in vec3 point, normal, colour, inside;
in vec4 look;
in vec2 uv;
out vec4 result;

float cube(float x) { return x * x * x; }  // by hand: pow is slow in software
float fifth(float x) { return x * x * cube(x); }

// GGX, with Schlick's visibility and Fresnel
vec3 highlight(vec3 n, vec3 v, vec3 l, float roughness, vec3 mirror) {
    float a = roughness * roughness, k = a / 2.0;
    vec3 h = normalize(l + v);
    float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = dot(n, h);
    float d = nh * nh * (a * a - 1.0) + 1.0;
    vec3 fresnel = mirror + (1.0 - mirror) * fifth(1.0 - max(dot(h, v), 0.0));
    return fresnel * a * a / (d * d) * nl / (4.0 * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
}

// light: of lamp and sky on the surface; key, towards: the lamp's, as far as it is seen; sky, seen: the sky's
vec4 shaded(vec3 n, vec3 v, vec3 light, vec3 key, vec3 towards, vec3 sky, float seen) {
    vec4 paint = vec4(gl_FrontFacing ? colour : inside, look.w);
#ifdef PICTURED
    paint *= painted(uv);
#endif
#ifdef HOLED
    if (paint.a < cutoff) discard;
#endif
    vec3 albedo = paint.rgb;
    float roughness = max(look.x, 0.08), metallic = look.z, nv = max(dot(n, v), 0.0);

    // The floor sends light back up, less where the body stands on it and keeps its light away.
    float open = floor_reach > 0.0 ? smoothstep(-0.05, 1.0, (point.y - floor_height) / floor_reach) : 0.6;
    light += bounce * (0.5 - 0.5 * n.y) * open + fill;

    vec3 gloss = key * highlight(n, v, towards, roughness, mix(vec3(0.04), albedo, metallic));
    // The sky in the surface: bright above, darker at the horizon; and a soft edge, as of felt.
    float up = reflect(-v, n).y, mirror = 0.025 + 0.5 * (1.0 - roughness) * fifth(1.0 - nv);
    float clear = mix(0.35, 1.0, seen);
    gloss += sky * mirror * smoothstep(-0.3, 0.9, up) * 2.0 * (1.0 - 0.6 * roughness) * clear;
    // A metal has no colour of its own but the studio in it: walls, floor and sky.
    gloss += metallic * albedo * (fill / 0.07) * mix(0.3, 0.9, smoothstep(-0.6, 0.7, up)) * clear;
    vec3 edge = mix(albedo, vec3(1.0), 0.35) * (sky + 0.25 * key_colour);
    vec3 matte = albedo * (1.0 - metallic) * light + look.y * cube(1.0 - nv) * edge * clear;
#ifdef CLEAR
    return vec4(matte * paint.a + gloss, paint.a);
#else
    return vec4(matte + gloss, 1.0);
#endif
}
"""
)

SURFACE_FRAGMENT = (
    LIGHT
    + "#define key_colour key_light\n"
    + MATERIAL
    + """
void main() {
    vec3 n = normalize(normal), v = normalize(eye - point);
    if (!gl_FrontFacing) n = -n;
    float key_seen = lit(key_map, key_matrix, point, n, key_direction);
    float sky_seen = lit(sky_map, sky_matrix, point, n, sky_direction);
    float key_cos = max(dot(n, key_direction), 0.0), sky_cos = max(dot(n, sky_direction), 0.0);
    // Directions are even over the hemisphere: density 1/2pi, so irradiance/pi is the mean of 2 L cos.
    vec3 light = key_light * key_cos * key_seen + 2.0 * sky_light * sky_cos * sky_seen;
    result = shaded(n, v, light, key_light * key_seen, key_direction, sky_light, sky_seen);
}
"""
)

# Edges: the same vertices, a little nearer to the eye.
LINE_VERTEX = """
#version 330
uniform mat4 view;
in vec3 in_position, in_colour;
out vec3 colour;
void main() {
    colour = 0.16 * in_colour;
    gl_Position = view * vec4(in_position, 1.0);
    gl_Position.z -= 2e-4 * gl_Position.w;
}
"""
LINE_FRAGMENT = """
#version 330
in vec3 colour;
out vec4 result;
void main() { result = vec4(colour, 0.5); }
"""

# The wall behind, in linear light. The ground uses it too: an unshadowed ground *is* the wall.
BACKDROP = """
uniform vec3 low, high;
uniform vec2 size;
vec3 backdrop(vec2 pixel) {
    vec2 at = pixel / size;
    vec3 wall = mix(low, high, smoothstep(0.15, 1.05, at.y));
    vec2 off = (at - vec2(0.5, 0.45)) * vec2(1.0, 0.8);
    return wall * (1.03 - 0.22 * dot(off, off));
}
"""

GROUND_VERTEX = """
#version 330
uniform mat4 view;
uniform vec3 centre;
uniform float reach;
out vec3 point;
in vec2 in_corner;
void main() {
    point = centre + vec3(in_corner.x, 0.0, in_corner.y) * reach;
    gl_Position = view * vec4(point, 1.0);
}
"""
GROUND_FRAGMENT = (
    LIGHT
    + BACKDROP
    + """
uniform vec3 centre, open_light;  // open_light: what falls on the ground where nothing is in the way
uniform float reach, grid;
in vec3 point;
out vec4 result;
void main() {
    vec3 up = vec3(0.0, 1.0, 0.0);
    vec3 light = key_light * key_direction.y * lit(key_map, key_matrix, point, up, key_direction)
        + 2.0 * sky_light * sky_direction.y * lit(sky_map, sky_matrix, point, up, sky_direction);
    vec3 share = mix(light / open_light, vec3(1.0), 0.05);
    float fade = 1.0 - smoothstep(0.25, 1.0, length(point - centre) / reach);
    vec3 shown = backdrop(gl_FragCoord.xy) * mix(vec3(1.0), share, fade);
    if (grid > 0.0) {
        vec2 line = abs(fract(point.xz / grid + 0.5) - 0.5) * grid;
        float on = 1.0 - step(0.01 * grid, min(line.x, line.y));
        shown *= 1.0 - 0.22 * on * (1.0 - smoothstep(0.05, 0.5, length(point - centre) / reach));
    }
    result = vec4(shown, 1.0);
}
"""
)

SCREEN_VERTEX = """
#version 330
in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }
"""
ADD_FRAGMENT = """
#version 330
uniform sampler2D source;
out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
"""

# The sum of the passes over the wall, compressed and encoded. Colours below 0.8 stay as they are and only
# highlights roll off, towards white: a body keeps the colour that its file says.
RESOLVE_FRAGMENT = (
    "#version 330\n"
    + BACKDROP
    + """
uniform sampler2D source;
uniform float passes;
out vec4 result;
vec3 compress(vec3 c) {
    const float start = 0.8;
    float peak = max(c.r, max(c.g, c.b));
    if (peak <= start) return c;
    float room = 1.0 - start, shown = 1.0 - room * room / (peak - start + room);
    c *= shown / peak;
    return mix(vec3(shown), c, 1.0 / (0.15 * (peak - shown) + 1.0));
}
vec3 encode(vec3 c) {
    return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
void main() {
    vec4 sum = texelFetch(source, ivec2(gl_FragCoord.xy), 0) / passes;
    vec3 shown = max(sum.rgb, vec3(0.0)) + (1.0 - sum.a) * backdrop(gl_FragCoord.xy);
    result = vec4(encode(compress(shown)), 1.0);
}
"""
)


def variant(source: str, *defines: str) -> str:
    """A program's text with names defined, right after its version."""
    version, rest = source.strip().split("\n", 1)
    return "\n".join([version, *(f"#define {name}" for name in defines), rest])
