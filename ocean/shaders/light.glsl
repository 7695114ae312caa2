// From light to what a screen shows.
vec3 on_screen(vec3 light) {
    const vec3 x = 0.95 * light;
    const vec3 toned = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);  // K. Narkowicz, 2015
    return pow(clamp(toned, 0.0, 1.0), vec3(1.0 / 2.2));
}
